import { ESTADOS_CONTABLES, type EstadoContable } from '../../../catalog/rcv.ts'
import { advanceMany } from '../../../kernel/advance.ts'
import type { Sql } from '../../../kernel/db.ts'
import { defineMachine, type StatusOf, type TriggerOf } from '../../../kernel/machine.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { RcvRow } from './row.ts'

// Whether and where a purchase counts. What was claimed stays claimed: the supplier mends it with a nota de crédito (Ley 19.983).
// biome-ignore format: one transition per line reads as the table it is
export const estadoContableMachine = defineMachine({
  object: 'rcv_entry',
  table: 'rcv_entry',
  column: 'estado_contable',
  initial: ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'],
  terminal: ['RECLAMADO'],
  rows: [
    { on: 'registered', from: 'PENDIENTE',  to: 'REGISTRO' },
    { on: 'registered', from: 'NO_INCLUIR', to: 'REGISTRO' },
    { on: 'awaited',    from: 'REGISTRO',   to: 'PENDIENTE' },
    { on: 'awaited',    from: 'NO_INCLUIR', to: 'PENDIENTE' },
    { on: 'excluded',   from: 'REGISTRO',   to: 'NO_INCLUIR' },
    { on: 'excluded',   from: 'PENDIENTE',  to: 'NO_INCLUIR' },
    { on: 'claimed',    from: 'REGISTRO',   to: 'RECLAMADO' },
    { on: 'claimed',    from: 'PENDIENTE',  to: 'RECLAMADO' },
    { on: 'claimed',    from: 'NO_INCLUIR', to: 'RECLAMADO' },
  ],
})

type Machine = typeof estadoContableMachine

const TRIGGERS: Readonly<Record<StatusOf<Machine>, TriggerOf<Machine>>> = {
  REGISTRO: 'registered',
  PENDIENTE: 'awaited',
  NO_INCLUIR: 'excluded',
  RECLAMADO: 'claimed',
}

/** Moves entries, those that go to the same estado together. */
export async function advanceEstados(
  sql: Sql,
  scope: EmpresaScope,
  moves: readonly { readonly id: string; readonly to: EstadoContable }[],
): Promise<void> {
  for (const estado of ESTADOS_CONTABLES) {
    const ids = moves.filter(({ to }) => to === estado).map(({ id }) => id)
    if (ids.length > 0) await advanceMany<RcvRow, Machine>(sql, estadoContableMachine, scope, ids, TRIGGERS[estado])
  }
}
