import type { Operation } from './kernel/operation.ts'
import { accountOperations } from './modules/account/operations.ts'
import { agentGrantOperations } from './modules/agent-grant/operations.ts'
import { apiKeyOperations } from './modules/api-key/operations.ts'
import { artifactOperations } from './modules/artifact/operations.ts'
import { automationSettingsOperations } from './modules/automation-settings/operations.ts'
import { brandingOperations } from './modules/branding/operations.ts'
import { cesionOperations } from './modules/cesion/operations.ts'
import { connectionOperations } from './modules/connection/operations.ts'
import { contribuyenteOperations } from './modules/contribuyente/operations.ts'
import { counterpartyOperations } from './modules/counterparty/operations.ts'
import { creditNoteOperations } from './modules/document/credit-note-operations.ts'
import { documentOperations } from './modules/document/operations.ts'
import { pipelineOperations } from './modules/document/pipeline-operations.ts'
import { documentSendOperations } from './modules/document-send/operations.ts'
import { empresaOperations } from './modules/empresa/operations.ts'
import { eventOperations } from './modules/event/operations.ts'
import { expenseOperations } from './modules/expense/operations.ts'
import { f29Operations } from './modules/f29/operations.ts'
import { folioOperations } from './modules/folio/operations.ts'
import { jobOperations } from './modules/job/operations.ts'
import { movementMatchOperations } from './modules/movement-match/operations.ts'
import { publicLinkOperations } from './modules/public-link/operations.ts'
import { rcvOperations } from './modules/rcv/operations.ts'
import { receivedDocumentOperations } from './modules/received-document/operations.ts'
import { referenceOperations } from './modules/reference/operations.ts'
import { resolucionOperations } from './modules/resolucion/operations.ts'
import { sandboxYearOperations } from './modules/sandbox-year/operations.ts'
import { statementOperations } from './modules/statement/operations.ts'
import { subscriptionOperations } from './modules/subscription/operations.ts'
import { suggestionOperations } from './modules/suggestion/operations.ts'
import { testHelperOperations } from './modules/test-helper/operations.ts'
import { usageOperations } from './modules/usage/operations.ts'
import { webhookOperations } from './modules/webhook/operations.ts'

/** Everything the service can do. Routes, contracts and the tests that hold for every operation derive from this table. */
export const OPERATIONS: readonly Operation[] = [
  ...accountOperations,
  ...agentGrantOperations,
  ...apiKeyOperations,
  ...artifactOperations,
  ...automationSettingsOperations,
  ...brandingOperations,
  ...connectionOperations,
  ...contribuyenteOperations,
  ...counterpartyOperations,
  ...documentOperations,
  ...documentSendOperations,
  ...creditNoteOperations,
  ...cesionOperations,
  ...pipelineOperations,
  ...empresaOperations,
  ...eventOperations,
  ...expenseOperations,
  ...f29Operations,
  ...folioOperations,
  ...jobOperations,
  ...movementMatchOperations,
  ...publicLinkOperations,
  ...rcvOperations,
  ...receivedDocumentOperations,
  ...referenceOperations,
  ...resolucionOperations,
  ...sandboxYearOperations,
  ...statementOperations,
  ...subscriptionOperations,
  ...suggestionOperations,
  ...testHelperOperations,
  ...webhookOperations,
  ...usageOperations,
]
