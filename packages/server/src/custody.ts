import type { Config } from './config.ts'
import { checkMasterKeys } from './domain/platform/custody/check-keys.ts'
import { resealCustody } from './domain/platform/custody/jobs.ts'
import { REAL_TIME } from './kernel/clock.ts'
import type { Database } from './kernel/db.ts'
import { LOCKS } from './kernel/locks.ts'
import type { Transactor } from './kernel/transactor.ts'
import type { MasterKeys } from './kernel/vault.ts'
import { masterKeys } from './master-key.ts'
import { SEALED } from './sealed.ts'

/** The master keys, once they are known to fit the database. One process at a time looks, so that none forgets for another. */
export async function openCustody(db: Database, config: Pick<Config, 'master_key' | 'data_dir'>): Promise<MasterKeys> {
  const keys = await masterKeys(config)
  const lock = `select pg_advisory_xact_lock(${LOCKS.master_keys})`
  await db.transact((sql) => checkMasterKeys(sql, keys, SEALED), [lock])
  return keys
}

/** Where there are older keys, what they sealed is sealed anew. One job at a time, whoever asks for it. */
export async function requestReseal(transactor: Transactor, { keys, current }: MasterKeys): Promise<void> {
  if (![...keys.keys()].some((version) => version < current)) return
  const owner = { account_id: null, mode: null, empresa_id: null, clock: REAL_TIME }
  await transactor.transact(owner, (sql, unit) =>
    unit.enqueue(sql, resealCustody, { payload: { version: current }, key: `to ${current}` }),
  )
}
