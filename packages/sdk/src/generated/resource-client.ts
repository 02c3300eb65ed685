// Generated from the operation table: `npm run generate` writes it anew.

import { Client } from '../client.ts'
import type { ResourceOf } from '../resource.ts'
import { account, type AccountResource } from './resources/account.ts'
import { agentGrants, type AgentGrantsResource } from './resources/agent-grants.ts'
import { apiKeys, type ApiKeysResource } from './resources/api-keys.ts'
import { documents, type Documents } from '../resources/documents.ts'
import { auditLog, type AuditLogResource } from './resources/audit-log.ts'
import { automationSettings, type AutomationSettingsResource } from './resources/automation-settings.ts'
import { branding, type BrandingResource } from './resources/branding.ts'
import { certificate, type CertificateResource } from './resources/certificate.ts'
import { connections, type ConnectionsResource } from './resources/connections.ts'
import { contribuyentes, type ContribuyentesResource } from './resources/contribuyentes.ts'
import { counterparties, type CounterpartiesResource } from './resources/counterparties.ts'
import { testHelpers, type TestHelpersResource } from './resources/test-helpers.ts'
import { empresas, type EmpresasResource } from './resources/empresas.ts'
import { onboarding, type OnboardingResource } from './resources/onboarding.ts'
import { mandato, type MandatoResource } from './resources/mandato.ts'
import { events, type Events } from '../resources/events.ts'
import { tax, type TaxResource } from './resources/tax.ts'
import { folios, type FoliosResource } from './resources/folios.ts'
import { cafs, type CafsResource } from './resources/cafs.ts'
import { indicators, type IndicatorsResource } from './resources/indicators.ts'
import { sii, type SiiResource } from './resources/sii.ts'
import { jobs, type Jobs } from '../resources/jobs.ts'
import { mandatoTerms, type MandatoTermsResource } from './resources/mandato-terms.ts'
import { receivedDocuments, type ReceivedDocumentsResource } from './resources/received-documents.ts'
import { receivables, type ReceivablesResource } from './resources/receivables.ts'
import { payables, type PayablesResource } from './resources/payables.ts'
import { errorCodes, type ErrorCodesResource } from './resources/error-codes.ts'
import { resolucion, type ResolucionResource } from './resources/resolucion.ts'
import { sfgCredential, type SfgCredentialResource } from './resources/sfg-credential.ts'
import { subscription, type SubscriptionResource } from './resources/subscription.ts'
import { webhookEndpoints, type WebhookEndpointsResource } from './resources/webhook-endpoints.ts'
import { usage, type UsageResource } from './resources/usage.ts'

/** A client with every resource. One is put together when it is first used. */
export class ResourceClient extends Client {
  readonly #resources = new Map<string, unknown>()

  #made<Resource>(name: string, make: ResourceOf<Resource>): Resource {
    const known = this.#resources.get(name) as Resource | undefined
    if (known !== undefined) return known
    const made = make(this)
    this.#resources.set(name, made)
    return made
  }

  get account(): AccountResource {
    return this.#made('account', account)
  }

  get agentGrants(): AgentGrantsResource {
    return this.#made('agentGrants', agentGrants)
  }

  get apiKeys(): ApiKeysResource {
    return this.#made('apiKeys', apiKeys)
  }

  get documents(): Documents {
    return this.#made('documents', documents)
  }

  get auditLog(): AuditLogResource {
    return this.#made('auditLog', auditLog)
  }

  get automationSettings(): AutomationSettingsResource {
    return this.#made('automationSettings', automationSettings)
  }

  get branding(): BrandingResource {
    return this.#made('branding', branding)
  }

  get certificate(): CertificateResource {
    return this.#made('certificate', certificate)
  }

  get connections(): ConnectionsResource {
    return this.#made('connections', connections)
  }

  get contribuyentes(): ContribuyentesResource {
    return this.#made('contribuyentes', contribuyentes)
  }

  get counterparties(): CounterpartiesResource {
    return this.#made('counterparties', counterparties)
  }

  get testHelpers(): TestHelpersResource {
    return this.#made('testHelpers', testHelpers)
  }

  get empresas(): EmpresasResource {
    return this.#made('empresas', empresas)
  }

  get onboarding(): OnboardingResource {
    return this.#made('onboarding', onboarding)
  }

  get mandato(): MandatoResource {
    return this.#made('mandato', mandato)
  }

  get events(): Events {
    return this.#made('events', events)
  }

  get tax(): TaxResource {
    return this.#made('tax', tax)
  }

  get folios(): FoliosResource {
    return this.#made('folios', folios)
  }

  get cafs(): CafsResource {
    return this.#made('cafs', cafs)
  }

  get indicators(): IndicatorsResource {
    return this.#made('indicators', indicators)
  }

  get sii(): SiiResource {
    return this.#made('sii', sii)
  }

  get jobs(): Jobs {
    return this.#made('jobs', jobs)
  }

  get mandatoTerms(): MandatoTermsResource {
    return this.#made('mandatoTerms', mandatoTerms)
  }

  get receivedDocuments(): ReceivedDocumentsResource {
    return this.#made('receivedDocuments', receivedDocuments)
  }

  get receivables(): ReceivablesResource {
    return this.#made('receivables', receivables)
  }

  get payables(): PayablesResource {
    return this.#made('payables', payables)
  }

  get errorCodes(): ErrorCodesResource {
    return this.#made('errorCodes', errorCodes)
  }

  get resolucion(): ResolucionResource {
    return this.#made('resolucion', resolucion)
  }

  get sfgCredential(): SfgCredentialResource {
    return this.#made('sfgCredential', sfgCredential)
  }

  get subscription(): SubscriptionResource {
    return this.#made('subscription', subscription)
  }

  get webhookEndpoints(): WebhookEndpointsResource {
    return this.#made('webhookEndpoints', webhookEndpoints)
  }

  get usage(): UsageResource {
    return this.#made('usage', usage)
  }
}
