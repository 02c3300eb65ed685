import { defineMachine } from '../../../kernel/machine.ts'

/**
 * The mandato of an empresa; before the first row there is none. A newer text, or another person, is signed over what stands.
 * Where the mode does not need one, the empresa stays as it is and `empresa.updated` tells of each.
 */
// biome-ignore format: one transition per line reads as the table it is
export const mandatoMachine = defineMachine({
  object: 'mandato',
  table: 'mandato',
  column: 'status',
  initial: ['pending'],
  terminal: [],
  rows: [
    { on: 'signed',  from: 'pending', to: 'signed',  event: 'empresa.updated' },
    { on: 'signed',  from: 'signed',  to: 'signed',  event: 'empresa.updated' },
    { on: 'signed',  from: 'revoked', to: 'signed',  event: 'empresa.reactivated' },
    { on: 'revoked', from: 'signed',  to: 'revoked', event: 'empresa.suspended' },
  ],
})
