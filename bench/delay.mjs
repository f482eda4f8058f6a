// How late the main thread of a process comes to what is due, and how long it was at work before it came, in ms: loaded before a
// server (`--import`), or alone, which says what the machine itself takes. A line of JSON for each SIGUSR2, of what was since the
// one before.
const every = 1
let late = []
let work = []
let due = performance.now() + every
let used = process.threadCpuUsage()

function look() {
  const now = performance.now()
  const { user, system } = process.threadCpuUsage(used)
  late.push(Math.max(0, now - due))
  work.push((user + system) / 1000)
  due = now + every
  used = process.threadCpuUsage()
  next()
}

const isAlone = process.argv[1] === import.meta.filename

function next() {
  const timer = setTimeout(look, every)
  if (!isAlone) timer.unref()
}
next()

function quantiles(seen) {
  seen.sort((a, b) => a - b)
  const at = part => seen[Math.min(seen.length - 1, Math.floor(seen.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

process.on('SIGUSR2', () => {
  process.stdout.write(`${JSON.stringify({ late: quantiles(late), work: quantiles(work) })}\n`)
  late = []
  work = []
})

if (isAlone) process.stdout.write('{"ready":true}\n')
