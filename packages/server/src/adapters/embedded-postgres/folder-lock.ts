import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { birthOf, placeOfPids } from './process-table.ts'
import { DataDirInUse } from './refusal.ts'

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

/**
 * Claims a data folder for this process. Claims are numbered files and the highest one rules: a newcomer may only add
 * the next number, and only once the ruling claim is released or its process is gone. Numbers are never reused while a
 * racer could still be looking at them, so two newcomers cannot both replace the same dead claim.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  for (;;) {
    const ruling = Math.max(0, ...(await claimsIn(dataDir)))
    const holder = ruling === 0 ? null : await readClaim(join(dataDir, `lock.${ruling}`))
    if (holder && isAlive(holder)) throw new DataDirInUse(dataDir, holder.pid)

    const mine = ruling + 1
    if (!(await addClaim(dataDir, mine))) continue
    const claims = await claimsIn(dataDir)
    if (Math.max(...claims) > mine) {
      await rm(join(dataDir, `lock.${mine}`), { force: true })
      continue
    }
    await Promise.all(claims.filter((n) => n < mine).map((n) => rm(join(dataDir, `lock.${n}`), { force: true })))
    return { release: () => writeFile(join(dataDir, `lock.${mine}`), RELEASED) }
  }
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

function isAlive(claim: Claim): boolean {
  return claim.place === placeOfPids() && birthOf(claim.pid) === claim.birth
}

async function addClaim(dataDir: string, number: number): Promise<boolean> {
  const claim: Claim = { pid: process.pid, birth: birthOf(process.pid) ?? '', place: placeOfPids() }
  const draft = join(dataDir, `lock-draft-${randomUUID()}`)
  await writeFile(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    await link(draft, join(dataDir, `lock.${number}`)) // fails when the number exists, and is never half written
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
