import { createHash, randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterFolder, DATABASE } from './settings.ts'

export const SOCKET = '.s.PGSQL.5432'
const LONGEST_SOCKET_PATH = 100 // sun_path holds 104 bytes on macOS and 108 on Linux, with its closing zero

/** Where the server listens, and how clients reach it. */
export interface Listener {
  urlOf(role: string): string
  address: { path: string } | { host: string; port: number }
  settings: readonly string[]
  password: string | null
  close(): Promise<void>
}

/**
 * A socket inside the cluster folder (mode 0700, so only its owner and root pass) and no TCP port. The server binds it
 * relative to its working directory, so a long DATA_DIR never meets the limit on socket paths; clients get a short
 * private alias then. Windows has a loopback port and a generated password instead.
 */
export async function chooseListener(dataDir: string): Promise<Listener> {
  if (process.platform === 'win32') return loopbackListener(dataDir)
  const folder = clusterFolder(dataDir)
  const short = Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET_PATH
  const host = short ? folder : await makeAlias(folder)
  return {
    urlOf: (role) => `postgresql://${role}@localhost/${DATABASE}?host=${encodeURIComponent(host)}`,
    address: { path: join(host, SOCKET) },
    settings: ['listen_addresses=', 'unix_socket_directories=.', 'unix_socket_permissions=0700', 'port=5432'],
    password: null,
    close: async () => {
      if (!short) await rm(join(host, '..'), { recursive: true, force: true })
    },
  }
}

// The alias must lie in a folder only we can fill: a stranger's link there would lead us to a stranger's server.
async function makeAlias(folder: string): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const nest = join(tmpdir(), `timbre-${uid}-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  await mkdir(nest, { recursive: true, mode: 0o700 })
  const found = await lstat(nest)
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${nest} belongs to somebody else; remove it and start again.`)
  await chmod(nest, 0o700)
  const alias = join(nest, 'pg')
  await rm(alias, { force: true })
  await symlink(folder, alias)
  return alias
}

async function loopbackListener(dataDir: string): Promise<Listener> {
  const file = join(dataDir, 'postgres.password')
  const kept = await readFile(file, 'utf8').catch(() => null)
  const password = kept ?? randomBytes(24).toString('hex')
  if (kept === null) await writeFile(file, password, { mode: 0o600 })
  const [host, port] = ['127.0.0.1', await freePort()]
  return {
    urlOf: (role) => `postgresql://${role}:${password}@${host}:${port}/${DATABASE}`,
    address: { host, port },
    settings: [`listen_addresses=${host}`, 'unix_socket_directories=', `port=${port}`],
    password,
    close: async () => undefined,
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
