// What a run shares: one PostgreSQL with its template, and the tally of errors that were raised.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/adapters/postgres/embedded.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { newRsaKey } from '../../src/sandbox/sii/keys.ts'
import { letMakeDatabases, prepareTemplate } from './database-template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL this run uses, as the role of the service, who may here make databases: make your own in it. */
    postgresUrl: string
    /** Where every world writes which operation raised which code, for the tally at the end of the run. */
    raisedFile: string
    /** A private key as a person has it, PEM: one of 2,048 bits takes half a second, so the whole run has one. */
    personKey: string
  }
}

/** One PostgreSQL for the whole run, gone at its end. TEST_DATABASE_URL names another one to run the suite on. */
async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const elsewhere = process.env.TEST_DATABASE_URL
  if (elsewhere) return { url: elsewhere, stop: async () => undefined }
  const dataDir = await mkdtemp(join(tmpdir(), 'timbre-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, maxConnections: 300, onLog: console.error })
  await letMakeDatabases(postgres.superuser_url)
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Every code an operation declares was raised by some test of the run. Only a run of everything can tell. */
function refuseUnraised(raisedFile: string): void {
  const raised = new Set(readFileSync(raisedFile, 'utf8').split('\n'))
  const missing = OPERATIONS.flatMap((operation) => {
    const declared = operation.api === 'bootstrap' ? operation.account_errors : operation.errors
    return declared.map((code) => `${operation.id} ${code}`)
  }).filter((pair) => !raised.has(pair))
  if (missing.length === 0) return
  console.error(`Declared and never raised by any test:\n  ${missing.join('\n  ')}`)
  process.exitCode = 1
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-raised-'))
  const raisedFile = join(folder, 'raised')
  writeFileSync(raisedFile, '')
  project.provide('raisedFile', raisedFile)
  const [{ url, stop }, key] = await Promise.all([startPostgres(), newRsaKey(2048)])
  project.provide('personKey', key.export({ type: 'pkcs8', format: 'pem' }).toString())
  project.provide('postgresUrl', url)
  await prepareTemplate(url)
  return async () => {
    await stop()
    if (process.env.WHOLE_SUITE === '1') refuseUnraised(raisedFile)
    rmSync(folder, { recursive: true, force: true })
  }
}
