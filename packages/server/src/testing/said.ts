import { run } from '../main.ts'

/** What a run of `watchpost-server` ended with, and said. */
export interface Said {
  code: number
  out: string
  err: string
}

/** Runs `watchpost-server` within this process, without a terminal and in an empty environment. */
export const said = (...argv: string[]): Promise<Said> => saidIn({}, argv)

/** The same in some environment. */
export async function saidIn(env: NodeJS.ProcessEnv, argv: string[]): Promise<Said> {
  let [out, err] = ['', '']
  const code = await run(argv, {
    env,
    terminal: false,
    out: text => {
      out += text
    },
    err: text => {
      err += text
    },
  })
  return { code, out, err }
}
