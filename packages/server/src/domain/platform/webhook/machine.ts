import { defineMachine } from '../../../kernel/machine.ts'

/** The specification's "Webhook endpoint" table. Only what we do by ourselves emits an event. */
// biome-ignore format: one transition per line reads as the table it is
export const webhookEndpointMachine = defineMachine({
  object: 'webhook_endpoint',
  table: 'webhook_endpoint',
  column: 'status',
  initial: ['enabled'],
  terminal: [],
  rows: [
    { on: 'disabled',     from: 'enabled',  to: 'disabled' },
    { on: 'enabled',      from: 'disabled', to: 'enabled' },
    { on: 'given_up',     from: 'enabled',  to: 'disabled', event: 'webhook_endpoint.disabled' },
    { on: 'distrusted',   from: 'enabled',  to: 'disabled', event: 'webhook_endpoint.disabled' },
  ],
})
