import { defineMachine } from '../../../kernel/machine.ts'

/**
 * The specification's "Document status" table, row by row. The journal is finer than the status: a document that has
 * its folio or its signature still reads `queued`.
 */
// biome-ignore format: one transition per line reads as the table it is
export const documentMachine = defineMachine({
  object: 'document',
  table: 'document',
  column: 'status',
  initial: ['queued'],
  terminal: ['reparo', 'rejected', 'annulled'],
  rows: [
    { on: 'created',           from: null,       to: 'queued',   event: 'document.created' },
    { on: 'folio_drawn',       from: 'queued',   to: 'queued',   journal: 'document.folio_allocated' },
    { on: 'signed',            from: 'queued',   to: 'queued',   journal: 'document.signed' },
    { on: 'submitted',         from: 'queued',   to: 'sent',     journal: 'document.submitted', event: 'document.sent' },
    { on: 'processing_failed', from: 'queued',   to: 'failed',   journal: 'document.failed',    event: 'document.failed' },
    { on: 'retried',           from: 'failed',   to: 'queued',   journal: 'document.retried' },
    { on: 'sii_accepted',      from: 'sent',     to: 'accepted', journal: 'document.accepted',  event: 'document.accepted' },
    { on: 'sii_observed',      from: 'sent',     to: 'reparo',   journal: 'document.reparo',    event: 'document.reparo' },
    { on: 'sii_rejected',      from: 'sent',     to: 'rejected', journal: 'document.rejected',  event: 'document.rejected' },
    { on: 'note_accepted',     from: 'accepted', to: 'annulled', journal: 'document.annulled',  event: 'document.annulled' },
  ],
})

/**
 * The last cesión of a document. A failed one moved nothing, so it may be tried again; a confirmed one is final: from
 * then on only the cesionario may cede.
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

/** The copy of a document for the receptor's exchange mailbox. What did not go can still be mailed by hand. */
// biome-ignore format: one transition per line reads as the table it is
export const exchangeMachine = defineMachine({
  object: 'exchange',
  table: 'document',
  column: 'exchange_status',
  initial: [],
  terminal: ['sent', 'failed', 'no_address'],
  rows: [
    { on: 'sent',       from: null, to: 'sent',       journal: 'document.exchange_sent',   event: 'document.exchange_sent' },
    { on: 'failed',     from: null, to: 'failed',     journal: 'document.exchange_failed', event: 'document.exchange_failed' },
    { on: 'no_address', from: null, to: 'no_address', journal: 'document.exchange_failed', event: 'document.exchange_failed' },
  ],
})
