import { isDeepStrictEqual } from 'node:util'
import { advanceMany } from '../../../kernel/advance.ts'
import { type Fragment, joined, name, nothing, part } from '../../../kernel/db.ts'
import type { Machine, TriggerOf } from '../../../kernel/machine.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { receiptMachine, receivedDocumentMachine } from './machine.ts'
import { type ReceivedRow, showReceived } from './show.ts'

export type Moving = Pick<JobTransaction, 'sql' | 'now' | 'emit' | 'enqueue' | 'addresses'>

/** Columns that change beside a status. */
type Beside = Partial<Pick<ReceivedRow, 'answered_at' | 'acknowledged_at' | 'claims'>>

function settingOf(beside: Beside): Fragment {
  const parts = Object.entries(beside).map(([column, value]) =>
    Array.isArray(value)
      ? part`, ${name(column)} = ${JSON.stringify(value)}::json`
      : part`, ${name(column)} = ${value}::timestamptz`,
  )
  return parts.length === 0 ? nothing : joined(parts, ' ')
}

async function move<M extends Machine>(
  { sql }: Pick<Moving, 'sql'>,
  machine: M,
  scope: EmpresaScope,
  step: { readonly id: string; readonly trigger: TriggerOf<M>; readonly beside: Beside },
): Promise<ReceivedRow | null> {
  const { id, trigger, beside } = step
  const [moved] = await advanceMany<ReceivedRow, M>(sql, machine, scope, [id], trigger, settingOf(beside))
  if (!moved) return null
  const { status_before: _, ...row } = moved
  return row as unknown as ReceivedRow
}

/** Null when it was not where the step starts: then nothing changed. */
export function moveStatus(
  tx: Pick<Moving, 'sql'>,
  scope: EmpresaScope,
  id: string,
  trigger: TriggerOf<typeof receivedDocumentMachine>,
  beside: Beside,
): Promise<ReceivedRow | null> {
  return move(tx, receivedDocumentMachine, scope, { id, trigger, beside })
}

export function moveReceipt(
  tx: Pick<Moving, 'sql'>,
  scope: EmpresaScope,
  id: string,
  trigger: TriggerOf<typeof receiptMachine>,
  beside: Beside,
): Promise<ReceivedRow | null> {
  return move(tx, receiptMachine, scope, { id, trigger, beside })
}

/** Tells what changed of a document, with what the fields that changed used to be. */
export function announce(
  tx: Pick<Moving, 'emit' | 'addresses'>,
  scope: EmpresaScope,
  type: NewEvent['type'],
  rows: { readonly before: ReceivedRow; readonly after: ReceivedRow },
  detail?: object,
): void {
  const [was, object] = [showReceived(rows.before, tx.addresses), showReceived(rows.after, tx.addresses)]
  const changed = (Object.keys(was) as (keyof typeof was)[]).filter((key) => !isDeepStrictEqual(was[key], object[key]))
  tx.emit({
    type,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: Object.fromEntries(changed.map((key) => [key, was[key]])),
    ...(detail && { detail }),
  })
}
