import { defineMachine } from '../../../kernel/machine.ts'

/** A range is used until it is put away, and then for good: its folios may be on documents, so it never goes. */
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
