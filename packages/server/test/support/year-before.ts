// The year that the first reading of a register asks for.

import type { Mode } from '../../src/catalog/modes.ts'
import { startMirror } from '../../src/domain/tax/rcv/sync-store.ts'
import type { World } from './world.ts'

interface Registrant {
  readonly account: string
  readonly empresa_id: string
  readonly rut: string
}

/**
 * As if the year before had been read already. Otherwise the first reading requests twelve months more, and what a test
 * looks at is computed again and again while they come in.
 */
export async function skipYearBefore(
  world: World,
  { account, empresa_id, rut }: Registrant,
  mode: Mode = 'test',
): Promise<void> {
  await startMirror(world.db.sql, { account_id: account, empresa_id, rut, mode }, new Date())
}
