import { realpath } from 'node:fs/promises'
import { isCivilDate } from '@timbre/dte/values'
import { DataDirInUse, EmbeddedPostgresUnavailable, startEmbeddedPostgres } from './adapters/postgres/embedded.ts'
import { runningServerUrl } from './adapters/postgres/probe.ts'
import { readDatabaseConfig } from './config.ts'
import { NominaRefused } from './domain/issuing/contribuyente/layout.ts'
import { type FileReport, loadNomina } from './domain/issuing/contribuyente/load-nomina.ts'
import { isDatabaseAway, openDatabase } from './kernel/db.ts'
import { migrate } from './kernel/migrate.ts'

const USAGE = `Loads the published nómina of contribuyentes of the SII.

  npm run load-nomina -- PUB_NOMBRES_PJ.zip PUB_NOM_ACTECOS.zip PUB_NOM_DIRECCIONES.zip

The files are at https://www.sii.cl/estadisticas/nominas/ and may be given as .zip or unpacked .txt. Those not given stay
as they were loaded before. --published-at=YYYY-MM-DD says when they were published; a .zip says so itself.
It loads into DATABASE_URL, or into the embedded database under DATA_DIR, whether the service is running or not.`

interface OpenedDatabase {
  readonly url: string
  close(): Promise<void>
}

/** The database of this installation: the one that is configured, the one that runs, or the one we start ourselves. */
async function findDatabase(): Promise<OpenedDatabase> {
  const { database_url, data_dir } = readDatabaseConfig()
  if (database_url !== null) return { url: database_url, close: async () => undefined }
  try {
    const { url, stop } = await startEmbeddedPostgres({ dataDir: data_dir })
    return { url, close: stop }
  } catch (error) {
    const url = error instanceof DataDirInUse ? await runningServerUrl(await realpath(data_dir)) : null
    if (url === null) throw error
    console.log('The service is running; loading into its database while it serves.')
    return { url, close: async () => undefined }
  }
}

function readArguments(args: readonly string[]): { paths: string[]; published_on?: string } {
  const options = args.filter((arg) => arg.startsWith('--'))
  const paths = args.filter((arg) => !arg.startsWith('--'))
  const dates = options.map((option) => /^--published-at=(.*)$/.exec(option)?.[1])
  const [published_on] = dates
  if (paths.length === 0 || dates.includes(undefined)) throw new NominaRefused(USAGE)
  if (published_on === undefined) return { paths }
  if (!isCivilDate(published_on)) throw new NominaRefused('--published-at must be a date such as 2026-08-23.')
  return { paths, published_on }
}

function describe(report: FileReport): string[] {
  const { file, rows, refused, first_refused } = report
  const left_out = refused === 0 ? '' : `, ${refused.toLocaleString('en-US')} left out`
  const lines = first_refused.map(({ line, why }) => `  line ${line}: ${why}`)
  if (refused > first_refused.length) lines.push(`  and ${refused - first_refused.length} more`)
  return [`${file}: ${rows.toLocaleString('en-US')} rows loaded${left_out}`, ...lines]
}

async function main(args: readonly string[]): Promise<void> {
  const { paths, published_on } = readArguments(args)
  const database = await findDatabase()
  const db = openDatabase(database.url, { pool_size: 2, onError: () => undefined })
  try {
    await migrate(db)
    const onProgress = (line: string) => console.log(line)
    const reports = await loadNomina(db, paths, { onProgress, ...(published_on && { published_on }) })
    for (const line of reports.flatMap(describe)) console.log(line)
    console.log('The nómina is in use from now on.')
  } finally {
    await db.end()
    await database.close()
  }
}

/** A sentence for trouble that a person can mend; anything else is a defect and is printed whole. */
function reportError(error: unknown): void {
  const plain = [NominaRefused, DataDirInUse, EmbeddedPostgresUnavailable]
  if (isDatabaseAway(error)) console.error(`The database cannot be reached: ${(error as Error).message}`)
  else console.error(plain.some((kind) => error instanceof kind) ? (error as Error).message : error)
  process.exitCode = 1
}

// exit() also stops a database that was started here; the load is rolled back and the old data serves on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

await main(process.argv.slice(2)).catch(reportError)
