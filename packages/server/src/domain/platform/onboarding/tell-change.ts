import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { findEmisor, lockEmisor } from '../empresa/emisor.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { tell } from './drive.ts'
import { readBody } from './read.ts'

/** Emits what a change beside the moves of steps (a reason, a decision, who has it in hand) makes of the onboarding. */
export async function tellChange(tx: Settling, scope: EmpresaScope, change: () => Promise<void>): Promise<void> {
  const before = await lockEmisor(tx.sql, scope)
  if (!before) return
  const body_before = await readBody(tx, scope, before)
  await change()
  const after = (await findEmisor(tx.sql, scope)) as EmpresaRow
  await tell(tx, scope, { before, after, body_before, moves: [] })
}
