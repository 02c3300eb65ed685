import { hkdfSync } from 'node:crypto'
import type { Sql } from '../../../kernel/db.ts'
import type { SealedStore } from '../../../kernel/sealed.ts'
import { StartRefused } from '../../../kernel/start-refused.ts'
import type { MasterKeys } from '../../../kernel/vault.ts'
import { countSealed } from './remaining.ts'
import { forgetMasterKey, readMasterKeys, recordMasterKey } from './store.ts'

/** The keys given do not fit the database. The message is for the person at the terminal. */
export class MasterKeyRefused extends StartRefused {
  constructor(message: string) {
    super(message)
    this.name = 'MasterKeyRefused'
  }
}

/** Tells one key from another, and nothing of either. */
function fingerprintOf(key: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), 'timbre master key fingerprint', 16)).toString('hex')
}

function refuseOther(version: number): never {
  throw new MasterKeyRefused(
    `MASTER_KEY has another key under number ${version} than the one this database was sealed with. ` +
      'Give that one back, or give the new key the next number and put it in front: MASTER_KEY=2:new,1:old.',
  )
}

async function refuseMissing(sql: Sql, version: number, stores: readonly SealedStore[]): Promise<void> {
  const needed = (await countSealed(sql, stores)).filter((found) => found.version === version)
  if (needed.length === 0) return
  const list = needed.map(({ what, count }) => `${count} ${what}`).join(', ')
  throw new MasterKeyRefused(
    `MASTER_KEY lacks key number ${version}, which is still needed for ${list}. Give it beside the others, ` +
      `for example MASTER_KEY=${version + 1}:new,${version}:old, until /metrics shows nothing left under it.`,
  )
}

/**
 * At the start, in one transaction: every key is the one that the database knows by its number, and none that something
 * still needs is missing. A key that nothing needs any more is forgotten.
 */
export async function checkMasterKeys(
  sql: Sql,
  { keys, current }: MasterKeys,
  stores: readonly SealedStore[],
): Promise<void> {
  for (const { version, fingerprint } of await readMasterKeys(sql)) {
    const key = keys.get(version)
    if (!key) await refuseMissing(sql, version, stores)
    // One that is newer than ours is another process's, which may be about to seal with it.
    if (!key && version < current) await forgetMasterKey(sql, version)
    if (key && fingerprint !== null && fingerprint !== fingerprintOf(key)) refuseOther(version)
  }
  for (const [version, key] of keys) await recordMasterKey(sql, version, fingerprintOf(key))
}
