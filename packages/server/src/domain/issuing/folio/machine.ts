import { defineMachine } from '../../../kernel/machine.ts'

/** The annulment of the folios that a range still held. One that the SII refused may be requested again. */
// biome-ignore format: one transition per line reads as the table it is
export const annulmentMachine = defineMachine({
  object: 'caf_annulment',
  table: 'caf',
  column: 'annulment_status',
  initial: [],
  terminal: ['annulled'],
  rows: [
    { on: 'asked',     from: null,     to: 'queued',   event: 'folios.annulment_requested' },
    { on: 'asked',     from: 'failed', to: 'queued',   event: 'folios.annulment_requested' },
    { on: 'confirmed', from: 'queued', to: 'annulled', event: 'folios.annulled' },
    { on: 'refused',   from: 'queued', to: 'failed',   event: 'folios.annulment_failed' },
  ],
})

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
