import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { build } from './scripts/build.mjs'

// Tests run the service as it ships. Where its sources have changed, it is compiled first: a few seconds.
build()

/**
 * What a test imports from `src` comes from `dist`, which Node loads by itself, in a quarter of the time that Vite takes
 * to transform it for each worker. Both lie equally deep: a path relative to a module is the same in both.
 */
const fromDist = {
  name: 'from-dist',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    if (!importer || !/^\.{1,2}\//.test(source)) return null
    const compiled = /^(.*\/packages\/[^/]+)\/src\/(.*)(?<!\.test)\.ts$/.exec(resolve(dirname(importer), source))
    return compiled && `${compiled[1]}/dist/${compiled[2]}.js`
  },
}

const PACKAGES = ['server', 'cli', 'sii-simulator', 'sii', 'certification', 'dte', 'sdk']

/**
 * Files that wait for other processes for a minute come first, so that no worker ends alone with one of them. Then one
 * package after the other: a worker serves one package, and a new one has to load it.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(faults|faults-live|fuzz|journey)\/|\/adapters\/postgres\//.test(moduleId)
    const placeOf = (file: TestSpecification) => (isLong(file) ? -1 : PACKAGES.indexOf(file.project.name))
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig({
  plugins: [fromDist],
  test: {
    // The files that a worker runs share one service. What a file changes for the whole process (the clock, a setting)
    // it puts back. No module can be mocked: ports are replaced instead.
    isolate: false,
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    // Files wait for PostgreSQL and for other processes most of their time: with five, two cores are busy but for a twentieth.
    maxWorkers: Math.max(5, availableParallelism()),
    // One patience for all. A machine may be many times slower than ours: no test is a measure of speed.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each look costs a request, and meanwhile the other files go on.
    expect: { poll: { timeout: 180_000, interval: 200 } },
    // What a file of tests becomes is kept by its content, beside the packages: a second run strips no types again.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: fileURLToPath(new URL('node_modules/.cache/vitest', import.meta.url)),
    },
    setupFiles: ['server/test/support/loopback-only-setup.ts', 'dte/test/support/property-seed.ts'].map((path) =>
      fileURLToPath(new URL(`packages/${path}`, import.meta.url)),
    ),
    sequence: { sequencer: LongestFirst },
    projects: PACKAGES.map((name) => ({
      extends: true,
      test: {
        name,
        root: `packages/${name}`,
        include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
        ...(['server', 'cli'].includes(name) && { globalSetup: ['test/support/global-setup.ts'] }),
      },
    })),
  },
})
