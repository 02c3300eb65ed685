import { defineMachine } from '../../../kernel/machine.ts'

/**
 * The recorded status of a subscription. A period that ran out lapses by itself: that follows from
 * `current_period_end` (see standing.ts), so no job moves a row here.
 */
// biome-ignore format: one transition per line reads as the table it is
export const subscriptionMachine = defineMachine({
  object: 'subscription',
  table: 'subscription',
  column: 'status',
  initial: [],
  terminal: [],
  rows: [
    { on: 'activated', from: null,       to: 'active' },
    { on: 'activated', from: 'active',   to: 'active' },
    { on: 'activated', from: 'lapsed',   to: 'active' },
    { on: 'activated', from: 'canceled', to: 'active' },
    { on: 'lapsed',    from: null,       to: 'lapsed' },
    { on: 'lapsed',    from: 'active',   to: 'lapsed' },
    { on: 'lapsed',    from: 'lapsed',   to: 'lapsed' },
    { on: 'lapsed',    from: 'canceled', to: 'lapsed' },
    { on: 'canceled',  from: null,       to: 'canceled' },
    { on: 'canceled',  from: 'active',   to: 'canceled' },
    { on: 'canceled',  from: 'lapsed',   to: 'canceled' },
    { on: 'canceled',  from: 'canceled', to: 'canceled' },
  ],
})
