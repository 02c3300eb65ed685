import { EVENTS } from '../../../catalog/events.ts'
import { advance } from '../../../kernel/advance.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { type ConnectionTrigger, connectionMachine } from './machine.ts'
import { type ConnectionRow, showConnection } from './show.ts'

/**
 * Moves a connection and emits the event of it. Write other changes before, so that the event shows them; `was` is the
 * row before any of them, so that it tells what each changed field was.
 */
export async function advanceConnection(
  tx: Pick<JobTransaction, 'sql' | 'emit'>,
  scope: EmpresaScope,
  was: ConnectionRow,
  trigger: ConnectionTrigger,
): Promise<ConnectionRow> {
  const { transition, row } = await advance<ConnectionRow, typeof connectionMachine>(
    tx.sql,
    connectionMachine,
    scope,
    was.id,
    trigger,
  )
  const { event } = transition
  if (event) {
    const empresa = { id: scope.empresa_id, rut: scope.rut }
    const object = showConnection(row)
    const previous = EVENTS[event].updates
      ? { previous_attributes: previousAttributes(showConnection(was), object) ?? {} }
      : {}
    tx.emit({ type: event, object, empresa, ...previous })
  }
  return row
}
