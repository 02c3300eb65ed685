import { defineMachine } from '../../../kernel/machine.ts'

/**
 * A file of a certification. `taken`: the SII found nothing wrong with it as a file, which advances nothing by itself: it has
 * to be declared, and then its contents are reviewed. `lost`: the SII has it no more, and the same bytes are sent again.
 * `printed`: a sample that waits for the titular, and is handed in and put under review by one act.
 */
// biome-ignore format: one transition per line reads as the table it is
export const certificationFileMachine = defineMachine({
  object: 'certification_file',
  table: 'certification_file',
  column: 'status',
  initial: ['planned', 'received', 'printed'],
  terminal: ['received', 'approved', 'refused'],
  rows: [
    { on: 'signed',   from: 'planned',   to: 'signed' },
    { on: 'sent',     from: 'signed',    to: 'sent' },
    { on: 'taken',    from: 'sent',      to: 'taken' },
    { on: 'lost',     from: 'sent',      to: 'signed' },
    { on: 'declared', from: 'taken',     to: 'in_review' },
    { on: 'declared', from: 'sent',      to: 'in_review' },
    { on: 'declared', from: 'printed',   to: 'in_review' },
    { on: 'approved', from: 'sent',      to: 'approved' },
    { on: 'approved', from: 'taken',     to: 'approved' },
    { on: 'approved', from: 'in_review', to: 'approved' },
    { on: 'refused',  from: 'printed',   to: 'refused' },
    { on: 'refused',  from: 'signed',    to: 'refused' },
    { on: 'refused',  from: 'sent',      to: 'refused' },
    { on: 'refused',  from: 'taken',     to: 'refused' },
    { on: 'refused',  from: 'in_review', to: 'refused' },
  ],
})
