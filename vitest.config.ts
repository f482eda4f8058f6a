import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['packages/store/src/testing/postgres-setup.ts'],
    // Tests use real servers and processes on two cores; what waits is the network, not the clock.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['packages/*/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'rules', include: ['test/rules/**/*.test.ts'] } },
      // Against what was built; one file at a time, since each starts servers and probes of its own.
      { extends: true, test: { name: 'system', include: ['test/{spec,system}/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
