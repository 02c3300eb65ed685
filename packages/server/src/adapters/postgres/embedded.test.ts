import { spawn, spawnSync } from 'node:child_process'
import { chmod, chown, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IN_FULL } from '../../../test/support/in-full.ts'
import {
  folderWithDatabase,
  freshFolder,
  kill,
  OWNER,
  postmasterPid,
  query,
  queryOnceUp,
  start,
  startOwner,
} from '../../../test/support/postgres-folder.ts'
import { locatePackage } from './binaries.ts'
import { DataDirInUse, type EmbeddedPostgres, EmbeddedPostgresUnavailable } from './embedded.ts'
import { processesIn } from './process-table.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const nobodyCanRun = isRoot && spawnSync(process.execPath, [OWNER, ''], NOBODY).status === 0

describe('a data folder', () => {
  it('is made at the first start, keeps its rows at the second, and listens on no port; its path may be longer than a socket address, below a folder that only root can enter', async () => {
    const closed = await freshFolder()
    await chmod(closed, 0o700)
    const dataDir = join(closed, 'long'.repeat(30), 'ñ and space')
    const first = await start(dataDir, { durable: true })
    await query(first, 'create table kept as select 1 as n')
    expect(await query(first, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await query(first, "select lower('ÑANDÚ') as low, 'a' < 'Z' as wordwise")).toEqual([
      { low: 'ñandú', wordwise: false },
    ])
    const made = await stat(join(dataDir, 'postgres'))
    expect(made.mode & 0o777).toBe(0o700)
    if (isRoot) expect(made.uid).toBe(NOBODY.uid)
    await first.stop()
    expect(processesIn(join(dataDir, 'postgres'))).toEqual([])

    const second = await start(dataDir, { durable: true })
    expect(second.adopted).toBe(false)
    expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('of an ordinary user works for that user, and for root after', { skip: !nobodyCanRun || !IN_FULL }, async () => {
    const dataDir = await freshFolder()
    await chown(dataDir, NOBODY.uid, NOBODY.gid)
    const owner = await startOwner(dataDir, NOBODY)
    const { url } = owner.said as EmbeddedPostgres
    await query({ url }, 'create table kept as select 1 as n')
    await kill(owner.process)
    expect(await query(await start(dataDir), 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('that cannot be written is refused in plain words', { skip: !nobodyCanRun }, async () => {
    const dataDir = await freshFolder()
    const { said } = await startOwner(dataDir, NOBODY)
    expect(said).toMatchObject({ name: 'EmbeddedPostgresUnavailable', message: expect.stringContaining(dataDir) })
  })
})

describe('a server', () => {
  it('killed under us runs again by itself with every acknowledged row, also where a session does not end', async () => {
    const dataDir = await folderWithDatabase()
    const exits: string[] = []
    const postgres = await start(dataDir, { durable: true, onExit: (reason) => exits.push(reason) })
    await query(postgres, 'create table kept (n int)')
    const session = new pg.Client(postgres.superuser_url)
    session.on('error', () => undefined)
    await session.connect()
    const [{ pid }] = (await session.query('select pg_backend_pid() as pid')).rows
    for (const n of [1, 2]) {
      await query(postgres, `insert into kept values (${n})`)
      // As one deep in a computation it does not see that its postmaster is gone, and keeps the memory of both.
      if (n === 1) process.kill(pid, 'SIGSTOP')
      process.kill(await postmasterPid(dataDir), 'SIGKILL')
      expect(await queryOnceUp(postgres, 'select count(*)::int as n from kept')).toEqual([{ n }])
    }
    expect(exits).toEqual(['ended by SIGKILL', 'ended by SIGKILL'])
    await session.end().catch(() => undefined)
  })

  it('has one owner: a second is refused with the folder and the process, and takes it over, rows and all, once that is killed', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    await query(owner.said as EmbeddedPostgres, 'create table kept as select 1 as n')
    const refused = await start(dataDir).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DataDirInUse)
    expect((refused as Error).message).toContain(await realpath(dataDir))
    expect((refused as Error).message).toContain(`process ${owner.process.pid}`)
    expect(await query(owner.said as EmbeddedPostgres, 'select n from kept')).toEqual([{ n: 1 }])
    await kill(owner.process)
    const orphan = await postmasterPid(dataDir)

    const postgres = await start(dataDir, { durable: true, maxConnections: 20 })
    expect(postgres.adopted).toBe(true)
    expect(await postmasterPid(dataDir)).toBe(orphan)
    // It is watched as before.
    process.kill(orphan, 'SIGKILL')
    expect(await queryOnceUp(postgres, 'select n from kept')).toEqual([{ n: 1 }])
    await postgres.stop()
    expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  })

  it.runIf(IN_FULL)(
    'whose owner was killed is stopped cleanly first when it must run with other settings',
    async () => {
      const dataDir = await folderWithDatabase()
      const owner = await startOwner(dataDir)
      await query(owner.said as EmbeddedPostgres, 'create table kept as select 1 as n')
      await kill(owner.process)
      const orphan = await postmasterPid(dataDir)

      const postgres = await start(dataDir, { maxConnections: 21 })
      expect(postgres.adopted).toBe(false)
      expect(processesIn(join(dataDir, 'postgres'))).not.toContain(orphan)
      expect(await query(postgres, 'select n from kept')).toEqual([{ n: 1 }])
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('recovery')
    },
  )

  it('starts although its old pid now belongs to another program of the same user', async () => {
    const dataDir = await folderWithDatabase()
    const stranger = spawn('sleep', ['60'], isRoot ? NOBODY : {})
    onTestFinished(() => void stranger.kill())
    const remains = `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n.\n\n1 1\nready\n`
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), remains)
    await writeFile(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), remains)
    const postgres = await start(dataDir)
    expect(await query(postgres, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(stranger.exitCode).toBeNull()
  })

  it('does not exist for every machine: there the person is asked for DATABASE_URL', () => {
    expect(() => locatePackage('sunos', 'sparc')).toThrow(EmbeddedPostgresUnavailable)
    expect(() => locatePackage('sunos', 'sparc')).toThrow(/sunos, sparc.*\n.*DATABASE_URL/)
  })
})

describe('a first start', () => {
  it.runIf(IN_FULL)('that was cut short is begun anew, and of many that do so at once exactly one wins', async () => {
    const dataDir = await freshFolder()
    const halfway = spawn(process.execPath, [OWNER, dataDir])
    while (!(await stat(join(dataDir, `postgres.draft-${halfway.pid}`, 'base')).catch(() => null))) await sleep(5)
    await kill(halfway)
    const rivals = await Promise.all([1, 2, 3, 4].map(() => startOwner(dataDir)))
    const names = rivals.map(({ said }) => ('name' in said ? said.name : 'won')).sort()
    expect(names).toEqual(['DataDirInUse', 'DataDirInUse', 'DataDirInUse', 'won'])
    const winner = rivals.map(({ said }) => said).find((said) => 'url' in said)
    expect(await query(winner as EmbeddedPostgres, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})
