import { defineMachine } from '../../../kernel/machine.ts'

/** The specification's "Empresa" table. Archiving is for good; a suspension ends when the mandato is signed again. */
// biome-ignore format: one transition per line reads as the table it is
export const empresaMachine = defineMachine({
  object: 'empresa',
  table: 'empresa',
  column: 'status',
  initial: ['active'],
  terminal: ['archived'],
  rows: [
    { on: 'archived',    from: 'active',    to: 'archived',  event: 'empresa.archived' },
    { on: 'suspended',   from: 'active',    to: 'suspended', event: 'empresa.suspended' },
    { on: 'reactivated', from: 'suspended', to: 'active',    event: 'empresa.reactivated' },
  ],
})
