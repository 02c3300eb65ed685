import { santiagoDate } from '@timbre/dte/values'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAvailability } from './availability.ts'
import type { CafRow } from './show.ts'

export type AnnulmentEvent = 'folios.annulment_requested' | 'folios.annulled' | 'folios.annulment_failed'

/** Emits a step of an annulment, with the stock of its tipo as the other events of folios carry it. */
export async function emitAnnulment(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'emit'>,
  scope: EmpresaScope,
  { id, tipo_dte, annulment }: Pick<CafRow, 'id' | 'tipo_dte' | 'annulment'>,
  type: AnnulmentEvent,
  more: object,
): Promise<void> {
  tx.emit({
    type,
    object: await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now())),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { caf_id: id, from: annulment?.from, to: annulment?.to, ...more },
  })
}
