import { MODES } from '../../../catalog/modes.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { reachesRut } from '../empresa/scope.ts'

/** An address that a delivery may go to, as the URL parser writes it: one spelling of every host. */
export function checkUrl(ctx: Pick<AccountContext, 'account' | 'ports'>, sent: string): string {
  if (!URL.canParse(sent)) throw invalidField('url', 'it must be an absolute http or https address.')
  const url = new URL(sent)
  const needs_https = MODES[ctx.account.mode].webhooks_need_https
  if (url.protocol !== 'https:' && (needs_https || url.protocol !== 'http:')) {
    throw invalidField('url', needs_https ? 'it must be https in live mode.' : 'it must be http or https.')
  }
  if (url.username !== '' || url.password !== '') throw invalidField('url', 'it must not carry credentials.')
  if (url.hash !== '' || sent.endsWith('#')) throw invalidField('url', 'it must not carry a fragment.')
  if (ctx.ports.receivers.forbids(url.hostname)) throw invalidField('url', 'it must be a public address.')
  return url.href
}

/** No endpoint hears of more than the credential that makes it. */
export function checkEmpresas(ctx: Pick<AccountContext, 'caller'>, empresas: readonly string[]): string[] {
  const beyond = empresas.findIndex((rut) => !reachesRut(ctx.caller, rut))
  if (beyond >= 0) {
    const [rut = ''] = empresas.slice(beyond)
    throw new Problem('empresa_not_allowed', { param: `empresas[${beyond}]`, ...(rut !== '*' && { empresa: rut }) })
  }
  return empresas.includes('*') ? ['*'] : [...empresas]
}

/** `*` says it all. */
export function normalEvents(enabled_events: readonly string[]): string[] {
  return enabled_events.includes('*') ? ['*'] : [...enabled_events]
}
