import { defineMachine, type StatusOf, type TriggerOf } from '../../../kernel/machine.ts'

// From the page where a person links the bank to a sync every day. Once the bank wants the person again, syncs rest until
// somebody reconnects.
// biome-ignore format: one transition per line reads as the table it is
export const connectionMachine = defineMachine({
  object: 'connection',
  table: 'connection',
  column: 'status',
  initial: ['pending_link'],
  terminal: ['deleted'],
  rows: [
    { on: 'linked',              from: 'pending_link',    to: 'active',          event: 'connection.active' },
    { on: 'refresh_began',       from: 'active',          to: 'refreshing' },
    { on: 'refresh_ended',       from: 'refreshing',      to: 'active' },
    { on: 'credentials_refused', from: 'active',          to: 'needs_reconnect', event: 'connection.needs_reconnect' },
    { on: 'credentials_refused', from: 'refreshing',      to: 'needs_reconnect', event: 'connection.needs_reconnect' },
    { on: 'distrusted',          from: 'active',          to: 'needs_reconnect', event: 'connection.needs_reconnect' },
    { on: 'distrusted',          from: 'refreshing',      to: 'needs_reconnect', event: 'connection.needs_reconnect' },
    { on: 'reconnecting',        from: 'needs_reconnect', to: 'pending_link' },
    { on: 'deleted',             from: 'pending_link',    to: 'deleted',         event: 'connection.deleted' },
    { on: 'deleted',             from: 'active',          to: 'deleted',         event: 'connection.deleted' },
    { on: 'deleted',             from: 'refreshing',      to: 'deleted',         event: 'connection.deleted' },
    { on: 'deleted',             from: 'needs_reconnect', to: 'deleted',         event: 'connection.deleted' },
  ],
})

export type ConnectionStatus = StatusOf<typeof connectionMachine>
export type ConnectionTrigger = TriggerOf<typeof connectionMachine>

export const CONNECTION_STATUSES = ['pending_link', 'active', 'refreshing', 'needs_reconnect', 'deleted'] as const
/** The statuses that a caller can see: a deleted connection is not found. */
export const LIVING_STATUSES = ['pending_link', 'active', 'refreshing', 'needs_reconnect'] as const

/** Whether its movements can be read. */
export function isLinked(status: ConnectionStatus): boolean {
  return status === 'active' || status === 'refreshing'
}
