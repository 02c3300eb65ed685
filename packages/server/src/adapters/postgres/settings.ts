import { join } from 'node:path'

/** Makes the cluster and the role below; nobody else goes by it. */
export const SUPERUSER = 'timbre'
/** The service: an ordinary role, which owns its database. */
export const SERVICE = 'timbre_service'
export const DATABASE = 'postgres'

/** Where the cluster of a data folder lies. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

const LINUX = [
  'client_connection_check_interval=5s', // frees what a killed client held
  'recovery_init_sync_method=syncfs', // one call instead of a thousand: a killed server is back in a fifth of the time
]

/** A server whose data nobody will miss. Its many databases live for seconds: vacuuming them in turn would never end. */
const THROWAWAY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'plan_cache_mode=force_generic_plan', // a statement runs a few times on a connection: planned at the first, not at five
]

/** What every embedded server runs with. Given on the command line, so a new release applies to an old folder too. */
export function serverSettings(options: { durable: boolean; maxConnections: number }): string[] {
  return [
    'cluster_name=timbre',
    `max_connections=${options.maxConnections}`,
    'shared_buffers=128MB',
    'max_wal_size=1GB',
    'checkpoint_completion_target=0.9',
    'default_statistics_target=20', // plans here rest on keys, and young tables are counted every minute: a fifth of the rows will do
    'jit=off', // short statements: compiling costs more than it saves
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'log_line_prefix=%m [%p] ',
    'log_min_error_statement=panic', // a statement may carry values that must not reach a log
    'log_error_verbosity=terse', // and so may the detail of an error
    ...(process.platform === 'linux' ? LINUX : []),
    ...(options.durable ? [] : THROWAWAY),
  ]
}
