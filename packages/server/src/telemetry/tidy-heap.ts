import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Beyond it a thread that rests gives memory back; the largest bodies need as much again. */
const modest = 134_217_728
const restMs = 2000

/** V8 keeps what a flood has filled until there is another; a thread that rests has time to look what of it lives. */
export class TidyHeap {
  private readonly collect: () => void
  private timer: NodeJS.Timeout | undefined

  constructor() {
    setFlagsFromString('--expose-gc')
    this.collect = runInNewContext('gc')
  }

  /** There is work: the rest begins after it. */
  busy(): void {
    if (this.timer === undefined) this.timer = setTimeout(() => this.tidy(), restMs).unref()
    else this.timer.refresh()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private tidy(): void {
    this.timer = undefined
    const { heapTotal, arrayBuffers } = process.memoryUsage()
    if (heapTotal + arrayBuffers > modest) this.collect()
  }
}
