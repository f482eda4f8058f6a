import { join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { buildRum } from './scripts/build-rum.ts'
import {
  asScript,
  builtinsLater,
  contractAsData,
  judgeBeside,
  lettersOfFlags,
  librariesLater,
  mainBeside,
  withoutSuffixes,
} from './scripts/lean-bundles.ts'

const common = {
  format: 'esm',
  target: 'node22',
  splitting: true,
  sourcemap: true,
  silent: true,
  skipNodeModulesBundle: true,
} satisfies Options

/** What `bin/` runs. */
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
    // What is built beside it stays.
    clean: ['!ctl/**', '!probe/**', '!dashboard/**'],
    // Libraries, too: to find and read their hundreds of files takes as long as everything else until it listens.
    skipNodeModulesBundle: false,
    noExternal: [/^(?!better-sqlite3|pg-native)/],
    external: ['better-sqlite3', 'pg-native'],
    // For those that were written for `require`.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url)",
    },
    // After it, since `clean` would sweep it away.
    onSuccess: () => buildRum('dist'),
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
    esbuildPlugins: [contractAsData, judgeBeside, builtinsLater, librariesLater, lettersOfFlags, mainBeside],
    esbuildOptions(options) {
      // Less to read; names stay, for whoever reads a stack.
      options.minifyWhitespace = true
      options.minifySyntax = true
    },
    onSuccess: () => asScript(join('dist', 'ctl', 'main.js')),
  },
])
