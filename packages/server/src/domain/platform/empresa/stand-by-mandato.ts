import { MODES } from '../../../catalog/modes.ts'
import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { empresaMachine } from './machine.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'
import { findEmpresa, lockEmpresa } from './store.ts'

type StandingContext = Pick<EmpresaContext, 'sql' | 'now' | 'addresses' | 'emit' | 'invalidate'>

/** Locks the empresa for a change of its mandato: the empresa before anything under it. */
export async function lockForMandato({ sql }: Pick<StandingContext, 'sql'>, scope: EmpresaScope): Promise<EmpresaRow> {
  const row = await lockEmpresa(sql, scope)
  if (!row) throw new Problem('empresa_not_found')
  return row
}

interface MandatoChange {
  readonly status: 'signed' | 'revoked'
  readonly terms_version: string | null
}

/** How the empresa moves for a change of its mandato; null where it stays: archived for good, or in a mode that needs none. */
function moveOf({ mode, status: stands }: EmpresaRow, { status }: MandatoChange) {
  if (!MODES[mode].needs_mandato) return null
  if (status === 'revoked') return stands === 'active' ? 'suspended' : null
  return stands === 'suspended' ? 'reactivated' : null
}

/** Suspends the empresa whose mandato was revoked, lets go on the one whose mandato is signed again, and tells of either; gives how it moved. */
export async function standByMandato(
  ctx: StandingContext,
  scope: EmpresaScope,
  before: EmpresaRow,
  mandato: MandatoChange,
): Promise<'suspended' | 'reactivated' | null> {
  const move = moveOf(before, mandato)
  if (move) await advance(ctx.sql, empresaMachine, scope, before.id, move)
  const row = (await findEmpresa(ctx.sql, scope)) as EmpresaRow
  const object = showEmpresa(row, ctx)
  ctx.emit({
    type: move === null ? 'empresa.updated' : `empresa.${move}`,
    object,
    empresa: { id: row.id, rut: row.rut },
    previous_attributes: previousAttributes(showEmpresa(before, ctx), object) ?? {},
    detail: { mandato },
  })
  ctx.invalidate(scope.account_id)
  return move
}
