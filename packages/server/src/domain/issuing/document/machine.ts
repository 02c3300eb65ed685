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
