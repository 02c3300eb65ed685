import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/adapters/postgres/embedded.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's URL of the PostgreSQL this run uses: make your own database in it. */
    postgresUrl: string
  }
}

/**
 * One PostgreSQL for the whole run, gone at its end. TEST_DATABASE_URL names another one to run the suite on.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const elsewhere = process.env.TEST_DATABASE_URL
  if (elsewhere) {
    project.provide('postgresUrl', elsewhere)
    return async () => undefined
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'timbre-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, maxConnections: 300, onLog: console.error })
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
