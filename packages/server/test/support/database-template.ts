// A database for each world, copied from one that was migrated once.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { SERVICE } from '../../src/adapters/postgres/settings.ts'
import { localVault } from '../../src/adapters/vault/local.ts'
import { openDatabase } from '../../src/kernel/db.ts'
import { migrate } from '../../src/kernel/migrate.ts'
import { maintainPartitions } from '../../src/kernel/partition.ts'
import { sandboxKeys } from '../../src/sandbox/sii/keys.ts'
import { MASTER_KEY } from './master-key.ts'

const TEMPLATE = 'timbre_template'

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

/** No test is a superuser: what needs one would fail in an installation. They make databases, and fill them in any order. */
export async function letMakeDatabases(superuser_url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: superuser_url })
  await admin.connect()
  await admin.query(`alter role ${SERVICE} createdb; grant set on parameter session_replication_role to ${SERVICE}`)
  await admin.end()
}

/** Migrated once for the whole run, with the keys of the sandbox, which take a tenth of a second; every world copies it. */
export async function prepareTemplate(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE}`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const db = openDatabase(withDatabase(url, TEMPLATE), { pool_size: 1, onError: () => undefined })
  await migrate(db)
  await maintainPartitions(db)
  const keys = sandboxKeys({ sql: db.sql, vault: localVault(new Map([[1, MASTER_KEY]])) })
  await Promise.all([keys.authority(), keys.signer()])
  await db.end()
}

export async function databaseFromTemplate(url: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name} template ${TEMPLATE}`)
  await admin.end()
  return withDatabase(url, name)
}
