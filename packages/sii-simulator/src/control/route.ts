import type { Answer } from '../door.ts'
import type { Simulator } from '../simulator.ts'

/** One address of the simulator's own surface: the page, or something under `/control/`. */
export type ControlRoute = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string | RegExp
  handle(ctx: Simulator, request: ControlRequest): Answer | Promise<Answer>
}

export type ControlRequest = {
  params: Record<string, string>
  query: URLSearchParams
  input: Readonly<Record<string, unknown>>
}

/** The caller asked for something that makes no sense; answered as 400 with these words. */
export class ControlRefusal extends Error {}
