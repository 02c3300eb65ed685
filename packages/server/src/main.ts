import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './adapters/postgres/embedded.ts'
import { type Config, readConfig } from './config.ts'
import { type Log, openLog } from './kernel/log.ts'
import { StartRefused } from './kernel/start-refused.ts'
import type { Closing, DatabaseServer } from './serve.ts'
import { openSimulator, type Simulator } from './simulator.ts'

/** Null where the SII is not simulated. It ends with this process also where nobody comes to wait for it. */
function beginSimulator(config: Config, log: Log): Promise<Simulator | null> {
  if (config.sii !== 'simulator') return Promise.resolve(null)
  const simulator = openSimulator(config, {
    onExit: (exit) => log.error(exit, 'the simulator of the SII ended and is being started again'),
    onAway: (url) =>
      process.stderr.write(`No simulator of the SII answers at ${url} yet: Timbre starts once it does.\n`),
  })
  // Whoever waits for it is told.
  simulator.catch(() => undefined)
  return simulator
}

/** What a start does once, at the first of several moments that allow it. */
function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined
  return () => {
    done ??= { value: work() }
    return done.value
  }
}

async function openDatabaseServer(
  config: Config,
  log: Log,
  {
    closings,
    onOwned,
    onWaiting,
  }: { readonly closings: Closing[] } & Required<Pick<EmbeddedPostgresOptions, 'onOwned' | 'onWaiting'>>,
): Promise<DatabaseServer> {
  if (config.database_url)
    return { url: config.database_url, description: `PostgreSQL at ${new URL(config.database_url).host}` }
  const server = await startEmbeddedPostgres({
    dataDir: config.data_dir,
    onOwned,
    onWaiting,
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
    // Both take long and need no database. The simulator is another process and begins as soon as it is known that we may
    // start; loading the service keeps this one from all else, and begins when PostgreSQL is on its way.
    const simulator = once(() => beginSimulator(config, log))
    const service = once(() => import('./serve.ts'))
    const database = await openDatabaseServer(config, log, { closings, onOwned: simulator, onWaiting: service })
    const begun = simulator()
    const { serve } = await service()
    await serve(config, database, log, { closings, simulator: begun })
  } catch (error) {
    process.stderr.write(`\nTimbre did not start. ${explain(error)}\n`)
    await stop(1)
  }
}

await run()
