import { defineMachine, type StatusOf, type TriggerOf } from '../../../kernel/machine.ts'

// A declaration goes to the SII, or to a person of the operator where the SII has no interface for programs.
// biome-ignore format: one transition per line reads as the table it is
export const filingMachine = defineMachine({
  object: 'f29_filing',
  table: 'f29_filing',
  column: 'status',
  initial: ['queued'],
  terminal: ['accepted', 'failed'],
  rows: [
    { on: 'submitted',   from: 'queued',            to: 'submitted',         event: 'tax.f29.filing_submitted' },
    { on: 'handed_over', from: 'queued',            to: 'awaiting_operator', event: 'tax.f29.filing_submitted' },
    { on: 'failed',      from: 'queued',            to: 'failed',            event: 'tax.f29.filing_failed' },
    { on: 'accepted',    from: 'submitted',         to: 'accepted',          event: 'tax.f29.filing_accepted' },
    { on: 'failed',      from: 'submitted',         to: 'failed',            event: 'tax.f29.filing_failed' },
    { on: 'accepted',    from: 'awaiting_operator', to: 'accepted',          event: 'tax.f29.filing_accepted' },
    { on: 'failed',      from: 'awaiting_operator', to: 'failed',            event: 'tax.f29.filing_failed' },
  ],
})

export type FilingStatus = StatusOf<typeof filingMachine>
export type FilingTrigger = TriggerOf<typeof filingMachine>
export const FILING_STATUSES = ['queued', 'submitted', 'awaiting_operator', 'accepted', 'failed'] as const
