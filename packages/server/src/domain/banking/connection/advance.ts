import { advance } from '../../../kernel/advance.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { type ConnectionTrigger, connectionMachine } from './machine.ts'
import { type ConnectionRow, showConnection } from './show.ts'

/** Moves a connection and emits the event of it. Write other changes before, so that the event shows them. */
export async function advanceConnection(
  tx: Pick<JobTransaction, 'sql' | 'emit'>,
  scope: EmpresaScope,
  id: string,
  trigger: ConnectionTrigger,
): Promise<ConnectionRow> {
  const { before, transition, row } = await advance<ConnectionRow, typeof connectionMachine>(
    tx.sql,
    connectionMachine,
    scope,
    id,
    trigger,
  )
  const { event } = transition
  if (event) {
    const empresa = { id: scope.empresa_id, rut: scope.rut }
    const updates = event === 'connection.active' || event === 'connection.needs_reconnect'
    const previous = updates ? { previous_attributes: { status: before } } : {}
    tx.emit({ type: event, object: showConnection(row), empresa, ...previous })
  }
  return row
}
