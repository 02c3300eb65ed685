import { defineMachine } from '../../../kernel/machine.ts'

/**
 * Where the last cesión of a document stands. A failed one moved nothing, so it may be tried again; a confirmed one is
 * for good: from then on only the cesionario may cede.
 */
// biome-ignore format: one transition per line reads as the table it is
export const cesionMachine = defineMachine({
  object: 'cesion',
  table: 'document',
  column: 'cesion_status',
  initial: [],
  terminal: ['confirmed'],
  rows: [
    { on: 'asked',     from: null,        to: 'queued' },
    { on: 'asked',     from: 'failed',    to: 'queued' },
    { on: 'submitted', from: 'queued',    to: 'submitted', journal: 'document.cesion_submitted', event: 'document.cesion_submitted' },
    { on: 'confirmed', from: 'submitted', to: 'confirmed', journal: 'document.cesion_confirmed', event: 'document.cesion_confirmed' },
    { on: 'failed',    from: 'queued',    to: 'failed',    journal: 'document.cesion_failed',    event: 'document.cesion_failed' },
    { on: 'failed',    from: 'submitted', to: 'failed',    journal: 'document.cesion_failed',    event: 'document.cesion_failed' },
  ],
})
