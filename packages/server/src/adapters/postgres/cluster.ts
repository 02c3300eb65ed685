import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, findBinaries } from './binaries.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import type { Listener } from './listener.ts'
import { processesIn, signal } from './process-table.ts'
import { clusterFolder, SUPERUSER } from './settings.ts'
import { chooseIdentity, chownFolder, type Identity } from './unprivileged.ts'

/** All that is needed to run one PostgreSQL over one folder. */
export interface Cluster {
  folder: string
  identity: Identity
  binaries: Binaries
  listener: Listener
  logFile: string
  settings: readonly string[]
}

/** Makes the cluster folder ready to be served: creates it the first time, else checks that this version can read it. */
export async function prepareCluster(
  dataDir: string,
  listener: Listener,
  { settings, onWaiting }: Pick<Cluster, 'settings'> & { onWaiting(): void },
): Promise<Cluster> {
  const folder = clusterFolder(dataDir)
  const identity = await chooseIdentity(folder)
  const binaries = await findBinaries(dataDir, identity)
  const cluster = { folder, identity, binaries, listener, logFile: join(dataDir, 'postgres.log'), settings }

  const made = await versionOf(folder)
  if (made === null) {
    onWaiting()
    await createCluster(dataDir, cluster)
  } else refuseOtherVersion(made, cluster)
  await chownFolder(folder, identity)
  await chmod(folder, 0o700) // a restored copy may be wider, and PostgreSQL refuses such a folder
  return cluster
}

/**
 * How PostgreSQL is told its folder. As another user on Linux it is entered through the working directory, which is set
 * while we are still root: so the folder may lie below one that user cannot enter, such as /root.
 */
export function folderArgument({ folder, identity }: Pick<Cluster, 'folder' | 'identity'>): string {
  return identity && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/** A clean environment: no PG* variable of the caller may change what the server does. Windows needs its own. */
export function serverEnvironment(): { env?: NodeJS.ProcessEnv } {
  return process.platform === 'win32' ? {} : { env: { LC_ALL: 'C', TZ: 'UTC' } }
}

async function versionOf(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new EmbeddedPostgresUnavailable(
      `The database folder ${folder} belongs to another user. Start as that user, as root, or with another DATA_DIR.`,
    )
  }
}

function refuseOtherVersion(made: string, { folder, binaries }: Cluster): void {
  if (binaries.version.split('.')[0] === made) return
  throw new EmbeddedPostgresUnavailable(
    `The database in ${folder} was made by PostgreSQL ${made}; the built-in server is ${binaries.version}. ` +
      'Dump it with the version that made it and restore it into a new DATA_DIR.',
  )
}

// Built beside its place and renamed into it: a first start cut short leaves nothing that looks like a database.
async function createCluster(dataDir: string, cluster: Cluster): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres.draft-')) await dropDraft(join(dataDir, name))
  }
  const draft = { ...cluster, folder: join(dataDir, `postgres.draft-${process.pid}`) }
  await mkdir(draft.folder, { mode: 0o700 })
  await chownFolder(draft.folder, cluster.identity)
  await initdb(draft)
  await rename(draft.folder, cluster.folder)
}

/** Whoever was making it may have outlived us and still be writing: it is ended first, and the folder swept until empty. */
async function dropDraft(folder: string): Promise<void> {
  for (const pid of processesIn(folder)) signal(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 })
}

// Code point order with Unicode letter cases, from PostgreSQL's own tables: the same on every operating system.
const INITDB = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
]

async function initdb(cluster: Cluster): Promise<void> {
  const { listener, settings } = cluster
  const passwordFile = listener.password === null ? null : `${cluster.folder}.password`
  if (passwordFile) await writeFile(passwordFile, `${listener.password}\n`, { mode: 0o600 })
  const args = [
    `--pgdata=${folderArgument(cluster)}`,
    ...INITDB,
    ...(passwordFile
      ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
      : ['--auth-local=trust', '--auth-host=reject']),
    ...(settings.includes('fsync=off') ? ['--no-sync'] : []),
  ]
  const { code, output } = await run(cluster, args)
  if (passwordFile) await rm(passwordFile)
  if (code !== 0)
    throw new EmbeddedPostgresUnavailable(`The built-in PostgreSQL could not make its database:\n${output}`)
}

function run({ binaries, folder, identity }: Cluster, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, { cwd: folder, ...identity, ...serverEnvironment(), windowsHide: true })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trim() }))
  })
}
