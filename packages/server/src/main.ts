import { startEmbeddedPostgres } from './adapters/postgres/embedded.ts'
import { type Config, readConfig } from './config.ts'
import { type Log, openLog } from './kernel/log.ts'
import { StartRefused } from './kernel/start-refused.ts'
import type { Closing, DatabaseServer } from './serve.ts'

/** Loads the service, which takes seconds: while the database starts, and not before it is known that we may start. */
const loadService = () => import('./serve.ts')

async function openDatabaseServer(config: Config, log: Log, closings: Closing[]): Promise<DatabaseServer> {
  if (config.database_url)
    return { url: config.database_url, description: `PostgreSQL at ${new URL(config.database_url).host}` }
  const server = await startEmbeddedPostgres({
    dataDir: config.data_dir,
    onOwned: () => void loadService(),
    onLog: (line) => log.debug({ line }, 'postgres'),
    onExit: (reason) => log.error({ reason }, 'PostgreSQL ended and is being started again'),
  })
  closings.unshift(() => server.stop())
  return { url: server.url, description: `PostgreSQL ${server.version} in ${config.data_dir}` }
}

/** A sentence for trouble that a person can mend; anything else is a defect and shows where it happened. */
function explain(error: unknown): string {
  if (error instanceof StartRefused) return error.message
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EADDRINUSE') return `The port is taken: ${message}. Set PORT to another one.`
  if (code === 'EACCES') return `Not allowed: ${message}. Set PORT to 1024 or more, or DATA_DIR to a folder of yours.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function run(): Promise<void> {
  const closings: Closing[] = []
  let stopping = false
  const stop = async (code: number) => {
    if (stopping) process.exit(1)
    stopping = true
    for (const close of closings) await close().catch((error: unknown) => process.stderr.write(`${explain(error)}\n`))
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  try {
    const config = readConfig()
    const log = openLog(config.log_level)
    const database = await openDatabaseServer(config, log, closings)
    const { serve } = await loadService()
    await serve(config, database, log, closings)
  } catch (error) {
    process.stderr.write(`\nTimbre did not start. ${explain(error)}\n`)
    await stop(1)
  }
}

await run()
