import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Packages export their TypeScript source under the `source` condition, so tests never need a build.
// Never `import` in this list: Vitest hands it to Node, where it would turn a package's own `require` into an ES module.
const conditions = ['source', 'node']

/** Files that wait for other processes for a minute come first, so that no worker ends alone with one of them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(faults|fuzz|journey)\/|\/adapters\/postgres\//.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } }, // where globalSetup runs
  test: {
    // Importing the service takes two seconds: the files that a worker runs share it. What a file changes for the whole
    // process (a mock, the clock) it puts back.
    isolate: false,
    // Files wait for PostgreSQL and for other processes most of their time: two for each core keep it busy.
    maxWorkers: Math.max(4, availableParallelism()),
    // One patience for all. A machine may be many times slower than ours: no test is a measure of speed.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    setupFiles: [fileURLToPath(new URL('packages/server/test/support/loopback-only-setup.ts', import.meta.url))],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'dte',
          root: 'packages/dte',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          root: 'packages/server',
          globalSetup: ['test/support/global-setup.ts'],
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
})
