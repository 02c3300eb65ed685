import { isDeepStrictEqual } from 'node:util'
import { advanceMany } from '../../../kernel/advance.ts'
import { type Fragment, joined, name, nothing, part } from '../../../kernel/db.ts'
import type { Machine, TriggerOf } from '../../../kernel/machine.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { receiptMachine, receivedDocumentMachine } from './machine.ts'
import { type ReceivedRow, showReceived } from './show.ts'

/** Columns that change together with a status. */
type Columns = Partial<Pick<ReceivedRow, 'answered_at' | 'acknowledged_at' | 'claims'>>

function settingOf(columns: Columns): Fragment {
  const parts = Object.entries(columns).map(([column, value]) =>
    Array.isArray(value)
      ? part`, ${name(column)} = ${JSON.stringify(value)}::json`
      : part`, ${name(column)} = ${value}::timestamptz`,
  )
  return parts.length === 0 ? nothing : joined(parts, ' ')
}

async function move<M extends Machine>(
  { sql }: Pick<JobTransaction, 'sql'>,
  machine: M,
  scope: EmpresaScope,
  step: { readonly id: string; readonly trigger: TriggerOf<M>; readonly columns: Columns },
): Promise<ReceivedRow | null> {
  const { id, trigger, columns } = step
  const [moved] = await advanceMany<ReceivedRow, M>(sql, machine, scope, [id], trigger, settingOf(columns))
  return moved?.row ?? null
}

/** Null when the step does not start at its present status: then nothing changed. */
export function advanceStatus(
  tx: Pick<JobTransaction, 'sql'>,
  scope: EmpresaScope,
  id: string,
  trigger: TriggerOf<typeof receivedDocumentMachine>,
  columns: Columns,
): Promise<ReceivedRow | null> {
  return move(tx, receivedDocumentMachine, scope, { id, trigger, columns })
}

export function advanceReceipt(
  tx: Pick<JobTransaction, 'sql'>,
  scope: EmpresaScope,
  id: string,
  trigger: TriggerOf<typeof receiptMachine>,
  columns: Columns,
): Promise<ReceivedRow | null> {
  return move(tx, receiptMachine, scope, { id, trigger, columns })
}

/** Emits the change of a document, with the former values of the fields that changed. */
export function emitChange(
  tx: Pick<JobTransaction, 'emit' | 'addresses'>,
  scope: EmpresaScope,
  type: NewEvent['type'],
  rows: { readonly before: ReceivedRow; readonly after: ReceivedRow },
  detail?: object,
): void {
  const [previous, object] = [showReceived(rows.before, tx.addresses), showReceived(rows.after, tx.addresses)]
  const changed = (Object.keys(previous) as (keyof typeof previous)[]).filter(
    (key) => !isDeepStrictEqual(previous[key], object[key]),
  )
  tx.emit({
    type,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: Object.fromEntries(changed.map((key) => [key, previous[key]])),
    ...(detail && { detail }),
  })
}
