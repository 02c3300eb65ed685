import { connectionOperations } from './domain/banking/connection/operations.ts'
import { movementOperations } from './domain/banking/movement/operations.ts'
import { paymentOperations } from './domain/banking/payment/operations.ts'
import { receivableOperations } from './domain/banking/receivable/operations.ts'
import { statementOperations } from './domain/banking/statement/operations.ts'
import { suggestionOperations } from './domain/banking/suggestion/operations.ts'
import { artifactOperations } from './domain/issuing/artifact/operations.ts'
import { automationSettingsOperations } from './domain/issuing/automation-settings/operations.ts'
import { brandingOperations } from './domain/issuing/branding/operations.ts'
import { certificationOperations } from './domain/issuing/certification/operations.ts'
import { certificationOperatorOperations } from './domain/issuing/certification/operator/operations.ts'
import { cesionOperations } from './domain/issuing/cesion/operations.ts'
import { contribuyenteOperations } from './domain/issuing/contribuyente/operations.ts'
import { counterpartyOperations } from './domain/issuing/counterparty/operations.ts'
import { creditNoteOperations } from './domain/issuing/credit-note/operations.ts'
import { documentOperations, documentRetryOperations } from './domain/issuing/document/operations.ts'
import { folioOperations } from './domain/issuing/folio/operations.ts'
import { guiaOperations } from './domain/issuing/guia/operations.ts'
import { publicLinkOperations } from './domain/issuing/public-link/operations.ts'
import { resolucionOperations } from './domain/issuing/resolucion/operations.ts'
import { documentSendOperations } from './domain/issuing/send/operations.ts'
import type { Operation } from './domain/operation.ts'
import { accountOperations } from './domain/platform/account/operations.ts'
import { agentGrantOperations } from './domain/platform/agent-grant/operations.ts'
import { apiKeyOperations } from './domain/platform/api-key/operations.ts'
import { auditLogOperations } from './domain/platform/audit-log/operations.ts'
import { certificateOperations } from './domain/platform/certificate/operations.ts'
import { empresaOperations } from './domain/platform/empresa/operations.ts'
import { eventOperations } from './domain/platform/event/operations.ts'
import { evidenceOperations } from './domain/platform/evidence/operations.ts'
import { indicatorOperations } from './domain/platform/indicator/operations.ts'
import { jobOperations } from './domain/platform/job/operations.ts'
import { mandatoOperations } from './domain/platform/mandato/operations.ts'
import { onboardingOperations } from './domain/platform/onboarding/operations.ts'
import { onboardingOperatorOperations } from './domain/platform/onboarding/operator/operations.ts'
import { onboardingLinkOperations } from './domain/platform/onboarding-link/operations.ts'
import { referenceOperations } from './domain/platform/reference/operations.ts'
import { sfgCredentialOperations } from './domain/platform/sfg-credential/operations.ts'
import { siiWeatherOperations } from './domain/platform/sii-weather/operations.ts'
import { subscriptionOperations } from './domain/platform/subscription/operations.ts'
import { testHelperOperations } from './domain/platform/test-clock/operations.ts'
import { usageOperations } from './domain/platform/usage/operations.ts'
import { webhookOperations } from './domain/platform/webhook/operations.ts'
import { receivedDocumentOperations } from './domain/receiving/received-document/operations.ts'
import { expenseOperations } from './domain/tax/expense/operations.ts'
import { f29Operations } from './domain/tax/f29/operations.ts'
import { rcvOperations } from './domain/tax/rcv/operations.ts'
import {
  documentHelperOperations,
  f29HelperOperations,
  onboardingHelperOperations,
  rcvHelperOperations,
  receivedDocumentHelperOperations,
} from './sandbox/helpers/operations.ts'
import { sandboxYearOperations } from './sandbox/year/operations.ts'

/**
 * Every operation of the service. Routes, contracts and the tests that hold for every operation derive from this table.
 * Its order is the order of the published contracts, of the reference and of the tools: keep it.
 */
export const OPERATIONS: readonly Operation[] = [
  ...accountOperations,
  ...agentGrantOperations,
  ...apiKeyOperations,
  ...artifactOperations,
  ...auditLogOperations,
  ...automationSettingsOperations,
  ...brandingOperations,
  ...certificateOperations,
  ...connectionOperations,
  ...contribuyenteOperations,
  ...counterpartyOperations,
  ...documentOperations,
  ...guiaOperations,
  ...documentSendOperations,
  ...creditNoteOperations,
  ...cesionOperations,
  ...documentRetryOperations,
  ...documentHelperOperations,
  ...empresaOperations,
  ...onboardingOperations,
  ...certificationOperations,
  ...onboardingOperatorOperations,
  ...certificationOperatorOperations,
  ...onboardingLinkOperations,
  ...eventOperations,
  ...evidenceOperations,
  ...expenseOperations,
  ...f29Operations,
  ...f29HelperOperations,
  ...onboardingHelperOperations,
  ...folioOperations,
  ...indicatorOperations,
  ...siiWeatherOperations,
  ...jobOperations,
  ...mandatoOperations,
  ...movementOperations,
  ...paymentOperations,
  ...publicLinkOperations,
  ...rcvOperations,
  ...rcvHelperOperations,
  ...receivableOperations,
  ...receivedDocumentOperations,
  ...receivedDocumentHelperOperations,
  ...referenceOperations,
  ...resolucionOperations,
  ...sandboxYearOperations,
  ...sfgCredentialOperations,
  ...statementOperations,
  ...subscriptionOperations,
  ...suggestionOperations,
  ...testHelperOperations,
  ...webhookOperations,
  ...usageOperations,
]
