import { connectionMachine } from './domain/banking/connection/machine.ts'
import { statementMachine } from './domain/banking/statement/machine.ts'
import { suggestionMachine } from './domain/banking/suggestion/machine.ts'
import { certificationFileMachine } from './domain/issuing/certification/machine.ts'
import { cesionMachine, documentMachine, exchangeMachine } from './domain/issuing/document/machine.ts'
import { annulmentMachine, cafMachine } from './domain/issuing/folio/machine.ts'
import { empresaMachine, resolucionMachine } from './domain/platform/empresa/machine.ts'
import { mandatoMachine } from './domain/platform/mandato/machine.ts'
import { onboardingStepMachine } from './domain/platform/onboarding/machine.ts'
import { subscriptionMachine } from './domain/platform/subscription/machine.ts'
import { webhookEndpointMachine } from './domain/platform/webhook/machine.ts'
import {
  quarantineMachine,
  receiptMachine,
  receivedDocumentMachine,
} from './domain/receiving/received-document/machine.ts'
import { filingMachine } from './domain/tax/f29/machine.ts'
import { estadoContableMachine } from './domain/tax/rcv/machine.ts'
import type { Machine } from './kernel/machine.ts'

/** Every state machine of the service: the docs draw them in this order, and the tests walk them. */
export const MACHINES: readonly Machine[] = [
  cafMachine,
  annulmentMachine,
  certificationFileMachine,
  cesionMachine,
  connectionMachine,
  documentMachine,
  empresaMachine,
  exchangeMachine,
  filingMachine,
  estadoContableMachine,
  onboardingStepMachine,
  mandatoMachine,
  quarantineMachine,
  receiptMachine,
  receivedDocumentMachine,
  resolucionMachine,
  statementMachine,
  subscriptionMachine,
  suggestionMachine,
  webhookEndpointMachine,
]
