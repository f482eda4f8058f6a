// Loaded into a program that an older Node started: when that one is gone, even by kill -9, this one ends too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
