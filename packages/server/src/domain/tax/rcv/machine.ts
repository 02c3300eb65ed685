import { defineMachine, type StatusOf, type TriggerOf } from '../../../kernel/machine.ts'

// Where a purchase counts. What was claimed stays claimed: the supplier mends it with a nota de crédito (Ley 19.983).
// biome-ignore format: one transition per line reads as the table it is
export const estadoContableMachine = defineMachine({
  object: 'rcv_entry',
  table: 'rcv_entry',
  column: 'estado_contable',
  initial: ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'],
  terminal: ['RECLAMADO'],
  rows: [
    { on: 'registered', from: 'PENDIENTE',  to: 'REGISTRO' },
    { on: 'registered', from: 'NO_INCLUIR', to: 'REGISTRO' },
    { on: 'awaited',    from: 'REGISTRO',   to: 'PENDIENTE' },
    { on: 'awaited',    from: 'NO_INCLUIR', to: 'PENDIENTE' },
    { on: 'excluded',   from: 'REGISTRO',   to: 'NO_INCLUIR' },
    { on: 'excluded',   from: 'PENDIENTE',  to: 'NO_INCLUIR' },
    { on: 'claimed',    from: 'REGISTRO',   to: 'RECLAMADO' },
    { on: 'claimed',    from: 'PENDIENTE',  to: 'RECLAMADO' },
    { on: 'claimed',    from: 'NO_INCLUIR', to: 'RECLAMADO' },
  ],
})

export type EstadoTrigger = TriggerOf<typeof estadoContableMachine>

/** What leads to each of them. */
export const TRIGGERS: Readonly<Record<StatusOf<typeof estadoContableMachine>, EstadoTrigger>> = {
  REGISTRO: 'registered',
  PENDIENTE: 'awaited',
  NO_INCLUIR: 'excluded',
  RECLAMADO: 'claimed',
}
