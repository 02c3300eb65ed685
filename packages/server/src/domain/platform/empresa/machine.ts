import { defineMachine } from '../../../kernel/machine.ts'

/**
 * The specification's "Empresa" table. Archiving is for good; a suspension ends when the mandato is signed again. A suspended one
 * is archived by the service alone, where nothing proves its RUT or its taxpayer takes that over.
 */
// biome-ignore format: one transition per line reads as the table it is
export const empresaMachine = defineMachine({
  object: 'empresa',
  table: 'empresa',
  column: 'status',
  initial: ['active'],
  terminal: ['archived'],
  rows: [
    { on: 'archived',    from: 'active',    to: 'archived',  event: 'empresa.archived' },
    { on: 'archived',    from: 'suspended', to: 'archived',  event: 'empresa.archived' },
    { on: 'suspended',   from: 'active',    to: 'suspended', event: 'empresa.suspended' },
    { on: 'reactivated', from: 'suspended', to: 'active',    event: 'empresa.reactivated' },
  ],
})

/**
 * The declared resolución, by the specification's own table. Declaring another one puts any claim back to pending,
 * a verified one too: a granted range proves that the taxpayer may emit, not that the number was typed right. What the SII
 * itself publishes at the end of a certification needs no claim.
 */
// biome-ignore format: one transition per line reads as the table it is
export const resolucionMachine = defineMachine({
  object: 'resolucion',
  table: 'empresa',
  column: 'resolucion_status',
  initial: [],
  terminal: [],
  rows: [
    { on: 'declared', from: null,                   to: 'pending_verification', event: 'empresa.updated' },
    { on: 'declared', from: 'pending_verification', to: 'pending_verification', event: 'empresa.updated' },
    { on: 'declared', from: 'verified',             to: 'pending_verification', event: 'empresa.updated' },
    { on: 'declared', from: 'refused',              to: 'pending_verification', event: 'empresa.updated' },
    { on: 'published', from: null,                  to: 'verified',             event: 'empresa.updated' },
    { on: 'published', from: 'pending_verification', to: 'verified',            event: 'empresa.updated' },
    { on: 'published', from: 'verified',             to: 'verified',            event: 'empresa.updated' },
    { on: 'published', from: 'refused',              to: 'verified',            event: 'empresa.updated' },
    { on: 'granted',  from: 'pending_verification', to: 'verified',             event: 'empresa.updated' },
    { on: 'refused',  from: 'pending_verification', to: 'refused',              event: 'empresa.updated' },
  ],
})
