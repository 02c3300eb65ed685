import { defineMachine } from '../../../kernel/machine.ts'

/** A range is deactivated for good and never deleted: its folios may be on documents. */
// biome-ignore format: one transition per line reads as the table it is
export const cafMachine = defineMachine({
  object: 'caf',
  table: 'caf',
  column: 'status',
  initial: ['active'],
  terminal: ['inactive'],
  rows: [
    { on: 'deactivated', from: 'active', to: 'inactive' },
  ],
})
