import { isoStamp } from './clock.ts'
import type { Simulator } from './simulator.ts'

/** `NUM_ATENCION`: `34909   ( 2026/09/23 16:29:53)`. */
export function attention({ state, clock }: Simulator): string {
  return `${state.next('attention', 34_000)}   ( ${isoStamp(clock.now()).replaceAll('-', '/')})`
}
