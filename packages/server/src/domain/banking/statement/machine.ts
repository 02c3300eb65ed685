import { defineMachine, type StatusOf } from '../../../kernel/machine.ts'

// A file is inspected before it is saved; importing writes its movements.
// biome-ignore format: one transition per line reads as the table it is
export const statementMachine = defineMachine({
  object: 'statement',
  table: 'statement',
  column: 'status',
  initial: ['importing'],
  terminal: ['imported', 'failed'],
  rows: [
    { on: 'imported', from: 'importing', to: 'imported', event: 'tax.statement.imported' },
    { on: 'failed',   from: 'importing', to: 'failed' },
  ],
})

export type StatementStatus = StatusOf<typeof statementMachine>
export const STATEMENT_STATUSES = ['importing', 'imported', 'failed'] as const
