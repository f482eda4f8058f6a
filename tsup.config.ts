import { defineConfig } from 'tsup'
import { buildRum } from './scripts/build-rum.ts'

/** What `bin/` runs: our own packages in one file each, libraries left in node_modules. */
export default defineConfig({
  entry: {
    'watchpost-server': 'packages/server/src/bin.ts',
    'telemetry-thread': 'packages/server/src/telemetry/thread.ts',
    'watchpost-probe': 'packages/probe/src/bin.ts',
    'http-worker': 'packages/checks/src/http-worker.ts',
    monitorctl: 'packages/cli/src/bin.ts',
  },
  format: 'esm',
  target: 'node22',
  outDir: 'dist',
  // What Vite has built beside it stays.
  clean: ['!dashboard/**'],
  splitting: true,
  sourcemap: true,
  silent: true,
  skipNodeModulesBundle: true,
  noExternal: [/^@watchpost\//],
  // After it, since `clean` would sweep it away.
  onSuccess: () => buildRum('dist'),
})
