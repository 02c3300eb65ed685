import type { Machine } from './kernel/machine.ts'
import { empresaMachine } from './modules/empresa/machine.ts'
import { resolucionMachine } from './modules/resolucion/machine.ts'

/** Every state machine of the service: the docs draw them and the tests walk them. */
export const MACHINES: readonly Machine[] = [empresaMachine, resolucionMachine]
