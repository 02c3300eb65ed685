import { realpath } from 'node:fs/promises'
import { DataDirInUse, EmbeddedPostgresUnavailable, startEmbeddedPostgres } from './adapters/postgres/embedded.ts'
import { runningServerUrl } from './adapters/postgres/probe.ts'
import { readDatabaseConfig } from './config.ts'
import { type Database, isDatabaseAway, openDatabase } from './kernel/db.ts'
import { migrate } from './kernel/migrate.ts'

interface OpenedDatabase {
  readonly url: string
  close(): Promise<void>
}

/** The database of this installation: the one that is configured, the one that runs, or the one we start ourselves. */
async function findDatabase(say: (line: string) => void): Promise<OpenedDatabase> {
  const { database_url, data_dir } = readDatabaseConfig()
  if (database_url !== null) return { url: database_url, close: async () => undefined }
  try {
    const { url, stop } = await startEmbeddedPostgres({ dataDir: data_dir })
    return { url, close: stop }
  } catch (error) {
    const url = error instanceof DataDirInUse ? await runningServerUrl(await realpath(data_dir)) : null
    if (url === null) throw error
    say('The service is running; loading into its database while it serves.')
    return { url, close: async () => undefined }
  }
}

/** For a program that an operator runs beside the service, or in its place. */
export async function withOwnDatabase<T>(say: (line: string) => void, work: (db: Database) => Promise<T>): Promise<T> {
  const database = await findDatabase(say)
  const db = openDatabase(database.url, { pool_size: 2, onError: () => undefined })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.end()
    await database.close()
  }
}

/** A sentence for trouble that a person can mend; anything else is a defect and is given whole. */
export function troubleOf(error: unknown, ...plain: readonly (new (...args: never[]) => Error)[]): unknown {
  if (isDatabaseAway(error)) return `The database cannot be reached: ${(error as Error).message}`
  const known = [...plain, DataDirInUse, EmbeddedPostgresUnavailable]
  return known.some((kind) => error instanceof kind) ? (error as Error).message : error
}
