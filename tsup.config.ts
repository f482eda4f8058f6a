import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Options } from 'tsup'

const common = {
  format: 'esm',
  target: 'node22',
  splitting: true,
  sourcemap: true,
  silent: true,
  skipNodeModulesBundle: true,
} satisfies Options

/**
 * The contract as the data that it is: `monitorctl` and the probe need what the schemas say, and neither the library that makes them
 * nor the time it takes. Functions are left as they are, and what nobody asks for may be left out.
 */
const contractAsData: NonNullable<Options['esbuildPlugins']>[number] = {
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
        .map(([name, value]) => {
          // What an answer holds is half of it, and nothing here asks: the types know.
          const text = JSON.stringify(JSON.stringify(value, (key, part) => (key === 'reply' ? undefined : part)))
          return `export const ${name} = /* @__PURE__ */ JSON.parse(${text})`
        })
      const beside =
        functions.length === 0 ? [] : [`export { ${functions.join(', ')} } from ${JSON.stringify(`${path}?functions`)}`]
      return { contents: [...lines, ...beside].join('\n'), loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** What a person wrote is judged by the schemas themselves: they are the server's, and read when somebody asks. */
const judgeBeside: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'judge-beside',
  setup(build) {
    build.onResolve({ filter: /^@watchpost\/checks\/validate$/ }, () => ({
      path: '../validate-check.js',
      external: true,
    }))
  },
}

/** Of names only how they are written is asked here: the list of public suffixes would be five megabytes of memory. */
const withoutSuffixes: NonNullable<Options['esbuildPlugins']>[number] = {
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
const builtinsLater: NonNullable<Options['esbuildPlugins']>[number] = {
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

/** What runs first is small: the rest is read when there is more to do than to say the version. */
const mainBeside: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'main-beside',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './main.js', external: true } : undefined,
    )
  },
}

/** Libraries of the screens, and those for files: loaded by whoever first needs them, though the bundle is one file. */
const librariesLater: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'libraries-later',
  setup(build) {
    build.onResolve({ filter: /^(ink|react|yaml)(\/|$)/ }, ({ path, importer, namespace, kind }) => {
      if (kind === 'dynamic-import' || namespace === 'later') return { path, external: true }
      return importer === '' ? undefined : { path, namespace: 'later', sideEffects: false }
    })
    build.onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter(name => /^[\w$]+$/.test(name) && name !== 'default')
      return {
        contents: `export const { ${names.filter(name => name !== 'module.exports').join(', ')} } = await import('${path}')`,
      }
    })
  },
}

/** What `bin/` runs: our own packages in one file each, libraries left in node_modules. */
export default defineConfig([
  {
    ...common,
    entry: {
      'watchpost-server': 'packages/server/src/bin.ts',
      'telemetry-thread': 'packages/server/src/telemetry/thread.ts',
      'http-worker': 'packages/checks/src/http-worker.ts',
      'validate-check': 'packages/checks/src/validate-check.ts',
    },
    outDir: 'dist',
    clean: ['!ctl/**', '!probe/**'],
    noExternal: [/^@watchpost\//],
  },
  {
    ...common,
    entry: { 'watchpost-probe': 'packages/probe/src/bin.ts', 'http-worker': 'packages/checks/src/http-worker.ts' },
    outDir: join('dist', 'probe'),
    clean: true,
    noExternal: [/^@watchpost\//, /^typebox/, /^tldts/],
    esbuildPlugins: [contractAsData, judgeBeside, withoutSuffixes],
  },
  {
    ...common,
    entry: { monitorctl: 'packages/cli/src/bin.ts', main: 'packages/cli/src/main.ts' },
    outDir: join('dist', 'ctl'),
    clean: true,
    // What every command loads is worth the bundling; the screens' libraries are loaded with a screen.
    noExternal: [/^@watchpost\//, 'commander', 'typebox', /^node:/, /^(ink|react|yaml)(\/|$)/],
    // One file, of which each part is evaluated when it is needed: finding twenty files takes longer.
    splitting: false,
    removeNodeProtocol: false,
    esbuildPlugins: [contractAsData, builtinsLater, librariesLater, mainBeside],
    esbuildOptions(options) {
      // Less to read; names stay, for whoever reads a stack.
      options.minifyWhitespace = true
      options.minifySyntax = true
    },
  },
])
