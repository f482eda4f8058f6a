import type { Script } from 'node:vm'

/**
 * Evaluates a script with what V8 had compiled of it when a command of the same name ran before. Node's own cache keeps what is
 * compiled as a file is loaded, which is hardly anything: functions are compiled when they are called.
 * @param path of a script whose value is a function, which is called with what imports modules for it
 * @param folder where what is compiled is kept: one that only this user can write, since nobody else's code is to be run
 * @param name of the command, as a file may be called; another one compiles other functions
 */
export async function loadCompiled(path: string, folder: string | undefined, name: string): Promise<unknown> {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  const { Script } = process.getBuiltinModule('node:vm')
  const source = readFileSync(path, 'latin1')
  const run = (script: Script) => script.runInThisContext()((module: string) => import(module))
  if (folder === undefined || name === '') return run(new Script(source, { filename: path }))
  const { mtimeMs, size } = statSync(path)
  const build = `${folder}/${size}-${Math.floor(mtimeMs)}-${process.version}`
  const file = `${build}/${name}`
  const cachedData = readIfThere(file)
  const script = new Script(source, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) })
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // What is compiled when all is done is what will be wanted again; of a mistake nothing is.
    process.once('exit', code => code === 0 && keep(script, folder, build, file))
  }
  return run(script)
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(file)
  } catch {
    return undefined
  }
}

/** A cache that cannot be written is none, and no reason to fail. */
function keep(script: Script, folder: string, build: string, file: string): void {
  const { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs')
  try {
    mkdirSync(build, { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${process.pid}`
    // On the disk before it has its name: half of it would be taken for all.
    writeFileSync(unfinished, script.createCachedData(), { mode: 0o600, flush: true })
    renameSync(unfinished, file)
    for (const other of readdirSync(folder)) {
      if (!build.endsWith(`/${other}`)) rmSync(`${folder}/${other}`, { recursive: true, force: true })
    }
  } catch {
    // The next start tries again.
  }
}
