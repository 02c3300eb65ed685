import { defineMachine } from '../../../kernel/machine.ts'

/** The specification's "Empresa" table. Archiving is for good; a suspension ends when the mandato is signed again. */
// biome-ignore format: one transition per line reads as the table it is
export const empresaMachine = defineMachine({
  object: 'empresa',
  table: 'empresa',
  column: 'status',
  initial: ['active'],
  terminal: ['archived'],
  rows: [
    { on: 'archived',    from: 'active',    to: 'archived',  event: 'empresa.archived' },
    { on: 'suspended',   from: 'active',    to: 'suspended', event: 'empresa.suspended' },
    { on: 'reactivated', from: 'suspended', to: 'active',    event: 'empresa.reactivated' },
  ],
})

/**
 * The declared resolución, by the specification's own table. Declaring another one puts any claim back to pending,
 * a verified one too: a granted range proves that the taxpayer may emit, not that the number was typed right.
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
    { on: 'granted',  from: 'pending_verification', to: 'verified',             event: 'empresa.updated' },
    { on: 'refused',  from: 'pending_verification', to: 'refused',              event: 'empresa.updated' },
  ],
})

/**
 * Where a live empresa stands on its way to emitting. Its steps are taken at the SII by people; the operator records the
 * last one when the others are done.
 */
// biome-ignore format: one transition per line reads as the table it is
export const onboardingMachine = defineMachine({
  object: 'onboarding',
  table: 'empresa',
  column: 'onboarding_status',
  initial: ['mandato_pending', 'emitting'],
  terminal: ['emitting'],
  rows: [
    { on: 'recorded', from: 'mandato_pending', to: 'emitting', event: 'empresa.updated' },
  ],
})
