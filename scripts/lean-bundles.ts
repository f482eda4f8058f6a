import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Options } from 'tsup'

// How `monitorctl` becomes a program that starts in little more than the time Node takes (docs/decisions/0025), and the
// probe one that keeps little in memory (docs/decisions/0021).

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * The contract as the data that it is: `monitorctl` and the probe need what the schemas say, and neither the library that
 * makes them nor the time it takes. Functions are left as they are, and what nobody asks for may be left out.
 */
export const contractAsData: Plugin = {
  name: 'contract-as-data',
  setup(build) {
    build.onResolve({ filter: /^typebox$/ }, ({ path }) => ({ path, namespace: 'typebox', sideEffects: false }))
    build.onLoad({ filter: /./, namespace: 'typebox' }, () => ({
      // What functions stand beside makes schemas of schemas, which nobody reads; whoever does is told at once.
      contents: `const part = name => {
          if (name === 'properties' || name === 'items') return schema
          throw new Error('no schema is kept here: ' + String(name))
        }
        const schema = new Proxy({}, { get: (_, name) => part(name) })
        export default new Proxy({}, { get: () => () => schema })`,
    }))
    build.onResolve({ filter: /\?functions$/ }, ({ path }) => ({
      path: path.replace(/\?functions$/, ''),
      namespace: 'functions',
      sideEffects: false,
    }))
    const code = async (path: string) => ({
      contents: (await readFile(path, 'utf8')).replace(/\b(Type\.\w+|Object\.keys)\(/g, '/* @__PURE__ */ $&'),
      loader: 'ts' as const,
      resolveDir: dirname(path),
    })
    build.onLoad({ filter: /./, namespace: 'functions' }, ({ path }) => code(path))
    build.onLoad({ filter: /packages[\\/]contract[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const exported = Object.entries((await import(pathToFileURL(path).href)) as Record<string, unknown>)
      const only = /index\.ts$/.test(path) && !/routes.index\.ts$/.test(path)
      if (only || exported.length === 0) return code(path)
      const functions = exported.filter(([, value]) => typeof value === 'function').map(([name]) => name)
      const lines = exported
        .filter(([name]) => !functions.includes(name))
        .map(([name, value]) => `export const ${name} = /* @__PURE__ */ ${dataOf(value)}`)
      const beside =
        functions.length === 0 ? [] : [`export { ${functions.join(', ')} } from ${JSON.stringify(`${path}?functions`)}`]
      return { contents: [...lines, ...beside].join('\n'), loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** Code of a value; of a table, such as the routes, each row is read when it is first asked for. */
function dataOf(value: unknown): string {
  // What an answer holds is half of it, and nothing here asks: the types know.
  const read = (part: unknown) =>
    `JSON.parse(${JSON.stringify(JSON.stringify(part, (key, inner) => (key === 'reply' ? undefined : inner)))})`
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !('type' in value)
  const rows = isTable ? Object.entries(value) : []
  if (rows.length < 20) return read(value)
  return `(() => {
    const read = {}
    return {
      ${rows.map(([name, row]) => `get ${name}() { return (read.${name} ??= ${read(row)}) }`).join(',\n')}
    }
  })()`
}

/** What a person wrote is judged by the schemas themselves: they are the server's, and read when somebody asks. */
export const judgeBeside: Plugin = {
  name: 'judge-beside',
  setup(build) {
    build.onResolve({ filter: /^@watchpost\/checks\/validate$/ }, () => ({
      path: '../validate-check.js',
      external: true,
    }))
  },
}

/** Of names only how they are written is asked here: the list of public suffixes would be five megabytes of memory. */
export const withoutSuffixes: Plugin = {
  name: 'without-suffixes',
  setup(build) {
    build.onLoad({ filter: /tldts.dist.es6.src.suffix-trie\.js$/ }, () => ({
      contents: `export default () => { throw new Error('no list of suffixes is kept here') }`,
    }))
  },
}

const seldom = ['fs', 'os', 'path', 'util', 'child_process', 'readline/promises', 'stream/consumers']

/**
 * Node's own modules, loaded when something of theirs is first called: most commands call nothing of most of them, and to
 * load one reads all that it exports, some of which loads much more.
 */
export const builtinsLater: Plugin = {
  name: 'builtins-later',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) => {
      if (kind !== 'import-statement') return { path, external: true }
      const name = path.slice('node:'.length)
      if (name === 'process') return { path, namespace: 'process', sideEffects: false }
      return { path, namespace: seldom.includes(name) ? 'seldom' : 'builtin', sideEffects: false }
    })
    build.onLoad({ filter: /./, namespace: 'process' }, () => ({ contents: 'export default globalThis.process' }))
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
    build.onLoad({ filter: /./, namespace: 'seldom' }, async ({ path }) => {
      const of = `process.getBuiltinModule('${path}')`
      const functions = Object.entries(await import(path)).filter(([name, value]) => {
        return /^[a-z]\w*$/.test(name) && typeof value === 'function' && name !== 'default'
      })
      const lines = functions.map(([name]) => `export const ${name} = (...words) => ${of}.${name}(...words)`)
      const object = (from: string) => `new Proxy({}, { get: (_, name) => ${from}[name] })`
      return {
        contents: [
          ...lines,
          `export const constants = ${object(`${of}.constants`)}`,
          `export default ${object(of)}`,
        ].join('\n'),
      }
    })
  },
}

/** Commander asks ICU what a letter is, which takes a millisecond to be read; our flags are ASCII. */
export const lettersOfFlags: Plugin = {
  name: 'letters-of-flags',
  setup(build) {
    build.onLoad({ filter: /commander[\\/]lib[\\/]option\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const lean = code.replace('/\\p{ID_Continue}\\.\\.\\.[>\\]]$/u', '/\\w\\.\\.\\.[>\\]]$/')
      if (lean === code) throw new Error('commander reads flags otherwise now: look whether this is still needed')
      return { contents: lean, loader: 'js' }
    })
  },
}

/**
 * What runs first is small: the rest is read when there is more to do than to say the version, by V8 with what it had compiled of
 * it before.
 */
export const mainBeside: Plugin = {
  name: 'main-beside',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, ({ kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path: 'main', namespace: 'beside', pluginData: resolveDir } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'beside' }, ({ pluginData: resolveDir }) => ({
      contents: `import { caches } from './caches.ts'
        import { loadCompiled } from './compiled.ts'
        const name = process.argv.slice(2, 4).filter(word => /^[a-z][a-z-]{0,19}$/.test(word)).join('.')
        export const { run } = await loadCompiled(import.meta.dirname + '/main.js', caches('monitorctl'), name)`,
      resolveDir,
    }))
  },
}

/** Makes a script of a bundle, whose value is a function: given what imports for it, it promises what the bundle exports. */
export async function asScript(file: string): Promise<void> {
  const code = await readFile(file, 'utf8')
  const script = code
    .replaceAll(/\bimport\((?=['"])/g, '$import(')
    .replace(/export\s*\{([\w\s,]+)\};?\s*(?=\/\/# sourceMappingURL)/, (_, names) => `return{${names}}})\n`)
  if (!script.includes('return{run') || /\bimport\.meta\b/.test(code))
    throw new Error(`${file} cannot be made a script`)
  await writeFile(file, `(async $import=>{${script}`)
}

/** Libraries of the screens, and those for files: loaded by whoever first needs them, though the bundle is one file. */
export const librariesLater: Plugin = {
  name: 'libraries-later',
  setup(build) {
    build.onResolve({ filter: /^(ink|react|yaml)(\/|$)/ }, ({ path, importer, namespace, kind }) => {
      if (kind === 'dynamic-import' || namespace === 'later') return { path, external: true }
      return importer === '' ? undefined : { path, namespace: 'later', sideEffects: false }
    })
    build.onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter(name => /^[\w$]+$/.test(name) && name !== 'default')
      return {
        contents: `import { keepModules } from ${JSON.stringify(resolve('packages/cli/src/caches.ts'))}
          keepModules()
          export const { ${names.filter(name => name !== 'module.exports').join(', ')} } = await import('${path}')`,
        resolveDir: '.',
      }
    })
  },
}
