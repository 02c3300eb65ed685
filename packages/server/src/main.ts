import { startEmbeddedPostgres } from './adapters/postgres/embedded.ts'
import { type Config, readConfig } from './config.ts'
import { type Log, openLog } from './kernel/log.ts'
import { StartRefused } from './kernel/start-refused.ts'
import type { Closing, DatabaseServer } from './serve.ts'
import { openSimulator, type Simulator } from './simulator.ts'

interface Beginning {
  readonly service: Promise<typeof import('./serve.ts')>
  /** Null where the SII is not simulated. It ends with this process also where nobody comes to wait for it. */
  readonly simulator: Promise<Simulator | null>
}

/** What takes long and needs no database: begun while that starts, and not before it is known that we may start. */
function begin(config: Config, log: Log): Beginning {
  const simulator =
    config.sii === 'simulator'
      ? openSimulator(config, {
          onExit: (exit) => log.error(exit, 'the simulator of the SII ended and is being started again'),
          onAway: (url) =>
            process.stderr.write(`No simulator of the SII answers at ${url} yet: Timbre starts once it does.\n`),
        })
      : Promise.resolve(null)
  // Whoever waits for it is told.
  simulator.catch(() => undefined)
  return { simulator, service: import('./serve.ts') }
}

async function openDatabaseServer(
  config: Config,
  log: Log,
  { closings, onOwned }: { readonly closings: Closing[]; readonly onOwned: () => unknown },
): Promise<DatabaseServer> {
  if (config.database_url)
    return { url: config.database_url, description: `PostgreSQL at ${new URL(config.database_url).host}` }
  const server = await startEmbeddedPostgres({
    dataDir: config.data_dir,
    onOwned,
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
    let begun: Beginning | undefined
    const beginOnce = () => {
      begun ??= begin(config, log)
      return begun
    }
    const database = await openDatabaseServer(config, log, { closings, onOwned: beginOnce })
    const { service, simulator } = beginOnce()
    const { serve } = await service
    await serve(config, database, log, { closings, simulator })
  } catch (error) {
    process.stderr.write(`\nTimbre did not start. ${explain(error)}\n`)
    await stop(1)
  }
}

await run()
