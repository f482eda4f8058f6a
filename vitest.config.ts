import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['packages/store/src/testing/postgres-setup.ts', 'test/chromium-setup.ts'],
    // Tests use real servers and processes on two cores; what waits is the network, not the clock.
    // The longest waits end but tests that fail: a machine that others use, too, may stand still for many seconds.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // More than the cores of a small machine: what starts servers and probes mostly waits for them.
    maxWorkers: 4,
    // Hundreds of servers and probes start from the same files: compiled once for all of them.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/watchpost-tests') },
    projects: [
      { extends: true, test: { name: 'unit', include: ['packages/*/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'rules', include: ['test/rules/**/*.test.ts'] } },
      // Against what was built.
      { extends: true, test: { name: 'system', include: ['test/{spec,system}/**/*.test.ts'] } },
    ],
  },
})
