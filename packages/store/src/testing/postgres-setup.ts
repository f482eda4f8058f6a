import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** One real PostgreSQL for a whole run of the tests; each suite makes a database of its own in it. */
export default async function setup(project: { provide(name: 'postgresUrl', url: string): void }) {
  const program = fileURLToPath(new URL('./postgres-process.ts', import.meta.url))
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', message => resolve(String(message)))
    child.once('exit', code => reject(new Error(`PostgreSQL for the tests did not start (exit ${code})`)))
  })
  project.provide('postgresUrl', url)
  return async () => {
    child.disconnect()
    await ended
  }
}
