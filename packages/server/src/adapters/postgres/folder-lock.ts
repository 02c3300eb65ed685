import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemNow } from '../../kernel/clock.ts'
import { everySecond } from '../../kernel/every-second.ts'
import { DataDirInUse } from './errors.ts'
import { birthOf, pidNamespace } from './process-table.ts'

export interface FolderLock {
  release(): Promise<void>
}

interface Claim {
  pid: number
  birth: string
  place: string
}

const RELEASED = 'released\n'
const NAME = /^lock\.(\d+)$/
const STALE_AFTER_MS = 3_500
const WAIT_MS = 2_000

/**
 * Claims a data folder for this process. Claims are numbered files and the highest one rules: a newcomer may only add
 * the next number, and only once the ruling claim is released or its process is gone. Numbers are never reused while a
 * racer could still be looking at them, so two newcomers cannot both replace the same dead claim.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const path = (number: number) => join(dataDir, `lock.${number}`)
  const since = performance.now()
  for (;;) {
    const ruling = Math.max(0, ...(await claimsIn(dataDir)))
    const holder = ruling === 0 ? null : await readClaim(path(ruling))
    if (holder && (await isAlive(holder, path(ruling)))) {
      if (performance.now() - since > WAIT_MS) throw new DataDirInUse(dataDir, holder.pid)
      await sleep(100) // it may be on its way out: whoever stopped it should be able to start again at once
      continue
    }
    const mine = ruling + 1
    if (!(await addClaim(dataDir, path(mine)))) continue
    const claims = await claimsIn(dataDir)
    if (Math.max(...claims) > mine) {
      await rm(path(mine), { force: true })
      continue
    }
    await Promise.all(claims.filter((n) => n < mine).map((n) => rm(path(n), { force: true })))
    return keepAlive(path(mine))
  }
}

// The heartbeat is for newcomers in another container or machine, who cannot look our pid up.
function keepAlive(path: string): FolderLock {
  const stop = everySecond(() => void touch(path).catch(() => undefined))
  return {
    async release() {
      stop()
      await writeFile(path, RELEASED)
    },
  }
}

/** One call to the system, as it is made every second for as long as the service runs. */
async function touch(path: string): Promise<void> {
  const now = new Date(systemNow())
  await utimes(path, now, now)
}

async function claimsIn(dataDir: string): Promise<number[]> {
  return (await readdir(dataDir)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
}

async function readClaim(path: string): Promise<Claim | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Claim
  } catch {
    return null // released, or replaced a moment ago
  }
}

async function isAlive(claim: Claim, path: string): Promise<boolean> {
  if (claim.place === pidNamespace()) return birthOf(claim.pid) === claim.birth
  const before = await changedAt(path)
  for (let waited = 0; waited < STALE_AFTER_MS; waited += 100) {
    await sleep(100)
    if ((await changedAt(path)) !== before) return true
  }
  return false
}

async function changedAt(path: string): Promise<bigint> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => 0n,
  )
}

async function addClaim(dataDir: string, path: string): Promise<boolean> {
  const claim: Claim = { pid: process.pid, birth: birthOf(process.pid) ?? '', place: pidNamespace() }
  const draft = join(dataDir, `lock-draft-${randomUUID()}`)
  await writeFile(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    await link(draft, path) // fails when the number exists, and is never half written
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
