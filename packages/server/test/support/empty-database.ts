// A database without tables, for tests of migrations and of servers that bring their own.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../src/kernel/db.ts'

/** A database with nothing in it, and connections to it as separate processes would hold them. */
export async function emptyDatabase(): Promise<{ url: string; open(): Database }> {
  const name = `e_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    open() {
      const db = openDatabase(url.toString(), { pool_size: 2, onError: () => undefined })
      onTestFinished(() => db.end())
      return db
    },
  }
}
