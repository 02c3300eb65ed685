// The built server, compiled once for every file that starts one.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const LOCK = 4_117

/** Compiles what has changed, one test file at a time: no server may start from files that are half written. */
export async function ensureBuilt(): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: ROOT })
  } finally {
    await client.end()
  }
}
