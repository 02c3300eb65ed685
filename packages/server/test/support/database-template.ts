// A database for each world, copied from one that was migrated once, or emptied after the world before it.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVICE } from '../../src/adapters/postgres/settings.ts'
import { localVault } from '../../src/adapters/vault/local.ts'
import { type Database, openDatabase } from '../../src/kernel/db.ts'
import { migrate } from '../../src/kernel/migrate.ts'
import { maintainPartitions } from '../../src/kernel/partition.ts'
import { sandboxKeys } from '../../src/sandbox/sii/keys.ts'
import { REMEMBER_TEMPLATE } from './empty-again.ts'
import { MASTER_KEY } from './master-key.ts'

const TEMPLATE = 'timbre_template'

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** No test is a superuser: what needs one would fail in an installation. They make databases, and fill them in any order. */
export async function letMakeDatabases(superuser_url: string): Promise<void> {
  await connected(superuser_url, (admin) =>
    admin.query(`alter role ${SERVICE} createdb; grant set on parameter session_replication_role to ${SERVICE}`),
  )
}

/** Migrated once for the whole run, with the keys of the sandbox, which take a tenth of a second; every world copies it. */
export async function prepareTemplate(url: string): Promise<void> {
  await connected(url, async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE}`)
    await admin.query(`create database ${TEMPLATE}`)
  })
  const db = openDatabase(withDatabase(url, TEMPLATE), { pool_size: 1, onError: () => undefined })
  await migrate(db)
  await maintainPartitions(db)
  const keys = sandboxKeys({ sql: db.sql, vault: localVault(new Map([[1, MASTER_KEY]])) })
  await Promise.all([keys.authority(), keys.signer()])
  await db.end()
  await connected(withDatabase(url, TEMPLATE), (client) => client.query(REMEMBER_TEMPLATE))
}

/**
 * Databases that worlds of this worker left as they had found them, with the connections to them. A copy writes a thousand
 * files, and a new connection parses and plans every statement again: emptying is cheap.
 */
const free = new Map<string, Lent[]>()

/** A database of a world, and the pool that the world works with. */
export interface Lent {
  readonly url: string
  readonly db: Database
}

export function poolOf(url: string): Database {
  return openDatabase(url, { pool_size: 12, onError: () => undefined })
}

export async function databaseFromTemplate(url: string): Promise<Lent> {
  const again = free.get(url)?.pop()
  if (again) return again
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await connected(url, (admin) => admin.query(`create database ${name} template ${TEMPLATE}`))
  const made = withDatabase(url, name)
  return { url: made, db: poolOf(made) }
}

async function restore({ db }: Lent): Promise<string> {
  // A connection that was closed is gone a moment later, and one that was given back is idle by then.
  for (let tries = 0; tries < 20; tries += 1) {
    const { open, idle } = db.usage()
    if (open === idle) {
      const [row] = await db.sql<{ is: string }>`select pristine.restore(${Math.max(open, 1)}) as is`
      if (row && row.is !== 'in use') return row.is
    }
    await sleep(5)
  }
  return 'in use'
}

/** Takes back the database of a world that has closed. One that was changed beyond its rows, or is in use, stays away. */
export async function giveBack(server_url: string, lent: Lent): Promise<void> {
  const restored = await restore(lent).catch(() => 'out of reach')
  if (restored === 'as new') free.set(server_url, [...(free.get(server_url) ?? []), lent])
  else await lent.db.end().catch(() => undefined)
}
