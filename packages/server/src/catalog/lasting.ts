/**
 * What an account can set up that goes on by itself, or shapes what comes later, when whoever did it is gone. Somebody who takes
 * an account back is told of each, and a person of what an agent left behind. Every write of a credential either leaves one
 * of these or is excused with a reason (`test/lasting.test.ts`).
 */
export const LASTING_OBJECTS = [
  'empresa',
  'onboarding',
  'mandato',
  'certificate',
  'sfg_credential',
  'caf',
  'connection',
  'counterparty',
  'counterparty_contact',
  'branding',
  'automation_settings',
  'webhook_endpoint',
  'api_key',
  'agent_grant',
] as const
export type LastingObject = (typeof LASTING_OBJECTS)[number]

export const LASTING_ACTS = ['created', 'changed', 'deleted'] as const
export type LastingAct = (typeof LASTING_ACTS)[number]
