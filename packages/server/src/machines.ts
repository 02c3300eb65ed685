import type { Machine } from './kernel/machine.ts'
import { connectionMachine } from './modules/connection/machine.ts'
import { cesionMachine } from './modules/document/cesion-machine.ts'
import { documentMachine } from './modules/document/machine.ts'
import { empresaMachine } from './modules/empresa/machine.ts'
import { filingMachine } from './modules/f29/machine.ts'
import { cafMachine } from './modules/folio/machine.ts'
import { estadoContableMachine } from './modules/rcv/machine.ts'
import { receiptMachine, receivedDocumentMachine } from './modules/received-document/machine.ts'
import { resolucionMachine } from './modules/resolucion/machine.ts'
import { statementMachine } from './modules/statement/machine.ts'
import { subscriptionMachine } from './modules/subscription/machine.ts'
import { suggestionMachine } from './modules/suggestion/machine.ts'
import { webhookEndpointMachine } from './modules/webhook/machine.ts'

/** Every state machine of the service: the docs draw them and the tests walk them. */
export const MACHINES: readonly Machine[] = [
  cafMachine,
  cesionMachine,
  connectionMachine,
  documentMachine,
  empresaMachine,
  filingMachine,
  estadoContableMachine,
  receiptMachine,
  receivedDocumentMachine,
  resolucionMachine,
  statementMachine,
  subscriptionMachine,
  suggestionMachine,
  webhookEndpointMachine,
]
