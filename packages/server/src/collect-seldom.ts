import { setFlagsFromString } from 'node:v8'

/**
 * Bodies that come and go count into the heap, which is small beside them, and at its default V8 marks all of it several times
 * a second, on threads that take what they use from ours. A heap may grow to four times of what lives in it before that, and
 * what is young is copied by the thread whose it is: half of the CPU of telemetry, for some tens of megabytes.
 */
setFlagsFromString('--heap-growing-percent=300')
setFlagsFromString('--no-parallel-scavenge')
