import type { EventType } from '../catalog/events.ts'

/** One row of a transition table: what happened, from where, to where, and who is told. */
export interface Transition {
  readonly on: string
  readonly from: string | null
  readonly to: string
  readonly event?: EventType
  readonly journal?: string
}

export interface Machine<Row extends Transition = Transition> {
  readonly object: string
  readonly table: string
  readonly column: string
  readonly initial: readonly string[]
  readonly terminal: readonly string[]
  readonly rows: readonly Row[]
}

export type TriggerOf<M> = M extends Machine<infer Row> ? Row['on'] : never
export type StatusOf<M> = M extends Machine<infer Row> ? Row['to'] | Exclude<Row['from'], null> : never

/** A state machine as data. `advance` obeys it, the docs draw it, the tests walk it. */
export function defineMachine<const Row extends Transition>(machine: Machine<Row>): Machine<Row> {
  return machine
}
