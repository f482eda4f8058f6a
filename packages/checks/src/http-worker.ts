import { parentPort } from 'node:worker_threads'
import { type Answer, judgeAnswer } from './http-assertions.ts'
import type { HttpOptions } from './http-options.ts'

// The other end of `http-judge.ts`: judges one answer after the other, and may be ended while it does.
parentPort?.on('message', ({ answer, options }: { answer: Answer; options: HttpOptions }) => {
  parentPort?.postMessage(judgeAnswer(answer, options))
})
