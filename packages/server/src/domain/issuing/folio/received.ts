import { santiagoDate } from '@timbre/dte/values'
import type { NewEvent } from '../../../kernel/outbox.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { readAvailability } from './availability.ts'
import type { CafRow } from './show.ts'

/** What telling of a range takes: any transaction that can emit. */
export interface Receiving extends Pick<BaseContext, 'sql' | 'now'> {
  emit(event: NewEvent): void
}

/** Tells that a range arrived, however it came. */
export async function tellReceived(tx: Receiving, scope: EmpresaScope, row: CafRow): Promise<void> {
  tx.emit({
    type: 'folios.received',
    object: await readAvailability(tx.sql, scope, row.tipo_dte, santiagoDate(tx.now())),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { caf_id: row.id, from: row.from_folio, to: row.to_folio, source: row.source },
  })
}
