import { defineMachine } from '../../../kernel/machine.ts'

/**
 * What became of a supplier's document (Ley 19.983, art. 3). A tipo that takes no answer is `received` and stays so.
 * Silence accepts when the eight days end; an answer that the SII registered at the last moment outweighs our clock.
 */
// biome-ignore format: one transition per line reads as the table it is
export const receivedDocumentMachine = defineMachine({
  object: 'received_document',
  table: 'received_document',
  column: 'status',
  initial: ['pending', 'received'],
  terminal: ['received', 'accepted'],
  rows: [
    { on: 'arrived',  from: null,               to: 'pending',          event: 'received_document.created' },
    { on: 'accepted', from: 'pending',          to: 'accepted',         event: 'received_document.accepted' },
    { on: 'accepted', from: 'accepted_tacitly', to: 'accepted',         event: 'received_document.accepted' },
    { on: 'rejected', from: 'pending',          to: 'rejected',         event: 'received_document.rejected' },
    { on: 'rejected', from: 'rejected',         to: 'rejected',         event: 'received_document.rejected' },
    { on: 'rejected', from: 'accepted_tacitly', to: 'rejected',         event: 'received_document.rejected' },
    { on: 'lapsed',   from: 'pending',          to: 'accepted_tacitly', event: 'received_document.accepted' },
  ],
})

/** What a person decided about a file that was set aside. */
// biome-ignore format: one transition per line reads as the table it is
export const quarantineMachine = defineMachine({
  object: 'quarantined_file',
  table: 'reception_quarantine',
  column: 'status',
  initial: ['quarantined'],
  terminal: ['released', 'discarded'],
  rows: [
    { on: 'set_aside', from: null,          to: 'quarantined', event: 'reception.quarantined' },
    { on: 'released',  from: 'quarantined', to: 'released',    event: 'reception.released' },
    { on: 'discarded', from: 'quarantined', to: 'discarded',   event: 'reception.discarded' },
  ],
})

/** Whether the goods or services arrived: said by the receptor, taken for granted after eight days, or claimed. */
// biome-ignore format: one transition per line reads as the table it is
export const receiptMachine = defineMachine({
  object: 'receipt',
  table: 'received_document',
  column: 'receipt_status',
  initial: ['pending'],
  terminal: ['acknowledged', 'claimed'],
  rows: [
    { on: 'acknowledged', from: 'pending',  to: 'acknowledged', event: 'received_document.receipt_acknowledged' },
    { on: 'acknowledged', from: 'presumed', to: 'acknowledged', event: 'received_document.receipt_acknowledged' },
    { on: 'lapsed',       from: 'pending',  to: 'presumed',     event: 'received_document.receipt_acknowledged' },
    { on: 'claimed',      from: 'pending',  to: 'claimed' },
    { on: 'claimed',      from: 'presumed', to: 'claimed' },
  ],
})
