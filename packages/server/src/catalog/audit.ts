/**
 * The acts that the audit log tells of, by the id of their operation: who comes in, what opens the service, what stands in
 * custody, to whom documents are sent by themselves, and what the operator does.
 */
export const AUDIT_ACTIONS = [
  'account.register',
  'account.login',
  'account.logout',
  'account.verify_email',
  'account.forgot_password',
  'account.reset_password',
  'account.change_password',
  'account.change_email',
  'account.restore_email',
  'account.disown',
  'account.close',
  'account.plan.record',
  'agent_grants.create',
  'agent_grants.revoke',
  'api_keys.create',
  'api_keys.revoke',
  'api_keys.roll',
  'automation_settings.update',
  'branding.update',
  'cafs.upload',
  'cafs.annul',
  'cafs.deactivate',
  'certificate.upload',
  'certificate.delete',
  'connections.create',
  'connections.delete',
  'connections.exchange',
  'connections.reconnect',
  'counterparties.update',
  'counterparties.contacts.create',
  'counterparties.contacts.update',
  'counterparties.contacts.delete',
  'empresas.create',
  'empresas.update',
  'empresas.delete',
  'indicators.load',
  'received_documents.quarantine.discard',
  'received_documents.quarantine.release',
  'mandato.record',
  'mandato.revoke',
  'mandato.revocation_link',
  'onboarding.go_live',
  'onboarding.links.create',
  'onboarding.links.revoke',
  'onboarding.steps.attest',
  'onboarding.steps.approve',
  'onboarding.steps.take',
  'onboarding.steps.done',
  'onboarding.steps.refuse',
  'onboarding.switches.turn',
  'resolucion.verify',
  'sfg_credential.store',
  'sfg_credential.delete',
  'subscription.record',
  'tax.f29.filings.outcome',
  'test_helpers.clock.set',
  'webhook_endpoints.create',
  'webhook_endpoints.update',
  'webhook_endpoints.delete',
  'webhook_endpoints.rotate_secret',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who acted: a credential, the holder of a link from a letter or a page, nobody known yet, or the service itself. */
export const ACTOR_KINDS = ['key', 'session', 'agent', 'operator', 'link', 'anonymous', 'service'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export const AUDIT_OUTCOMES = ['succeeded', 'refused'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]
