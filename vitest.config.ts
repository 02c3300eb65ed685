import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Packages export their TypeScript source under the `source` condition, so tests never need a build.
// Never `import` in this list: Vitest hands it to Node, where it would turn a package's own `require` into an ES module.
const conditions = ['source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } }, // where globalSetup runs
  test: {
    // Tests that kill servers share a build machine with whatever else it runs: there, and only there, a test that fails
    // is given a second try, and the report says so.
    retry: process.env.CI ? 1 : 0,
    // Files wait for PostgreSQL and for other processes half of their time: two at once keep even two cores busy.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: [fileURLToPath(new URL('packages/server/test/support/loopback-only-setup.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: { name: 'dte', root: 'packages/dte', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          root: 'packages/server',
          globalSetup: ['test/support/setup.ts'],
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
