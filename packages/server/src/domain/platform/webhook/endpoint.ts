import { CEILINGS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { advance } from '../../../kernel/advance.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { bindToGrant, isSecretOfAgent } from '../agent-grant/makings.ts'
import { reachedRuts, reachesRut } from '../empresa/scope.ts'
import { webhookEndpointMachine } from './machine.ts'
import type {
  CreateWebhookEndpoint,
  EndpointPath,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './schema.ts'
import { type EndpointRow, showEndpoint } from './show.ts'
import { newSigningSecret, sealSecret } from './signing.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  deleteEndpointsOf,
  type EndpointAct,
  type EndpointReach,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  recordActs,
  replaceSecret,
  saveDisabledReason,
  saveEndpoint,
} from './store.ts'

/** A credential of some empresas sees and changes an endpoint only if it reaches all of the endpoint's empresas. */
export function reachOf({ caller }: Pick<AccountContext, 'caller'>): EndpointReach {
  return reachedRuts(caller)
}

/** The endpoint, or a refusal. `lock` keeps it as it is until the transaction ends. */
export async function requireEndpoint(
  ctx: AccountContext,
  id: string,
  options: { lock?: boolean } = {},
): Promise<EndpointRow> {
  const row = await findEndpoint(ctx.sql, ctx.account, reachOf(ctx), id, options)
  if (!row) throw new Problem('webhook_endpoint_not_found')
  return row
}

/** In real time: what ends with an intruder goes by it. */
function actOf({ caller }: Pick<AccountContext, 'caller'>): EndpointAct {
  return { by: caller.credential_id, at: new Date(systemNow()) }
}

/** An address that a delivery may go to, as the URL parser writes it: one spelling of every host. */
function checkUrl(ctx: Pick<AccountContext, 'account' | 'ports'>, sent: string): string {
  if (!URL.canParse(sent)) throw invalidField('url', 'it must be an absolute http or https address.')
  const url = new URL(sent)
  const needs_https = MODES[ctx.account.mode].webhooks_need_https
  if (url.protocol !== 'https:' && (needs_https || url.protocol !== 'http:')) {
    throw invalidField('url', needs_https ? 'it must be https in live mode.' : 'it must be http or https.')
  }
  if (url.username !== '' || url.password !== '') throw invalidField('url', 'it must not carry credentials.')
  if (url.hash !== '' || sent.endsWith('#')) throw invalidField('url', 'it must not carry a fragment.')
  if (ctx.ports.webhooks.forbids(url)) throw invalidField('url', 'it must be a public address.')
  return url.href
}

/** No endpoint hears of more than the credential that makes it. */
function checkEmpresas(ctx: Pick<AccountContext, 'caller'>, empresas: readonly string[]): string[] {
  const beyond = empresas.findIndex((rut) => !reachesRut(ctx.caller, rut))
  if (beyond >= 0) {
    const [rut = ''] = empresas.slice(beyond)
    throw new Problem('empresa_not_allowed', { param: `empresas[${beyond}]`, ...(rut !== '*' && { empresa: rut }) })
  }
  return empresas.includes('*') ? ['*'] : [...empresas]
}

function normalizeEvents(enabled_events: readonly string[]): string[] {
  return enabled_events.includes('*') ? ['*'] : [...enabled_events]
}

export async function createEndpoint(
  ctx: AccountContext,
  input: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const { account, sql } = ctx
  const url = checkUrl(ctx, input.url)
  const empresas = checkEmpresas(ctx, input.empresas ?? reachOf(ctx) ?? ['*'])
  if ((await countEndpoints(sql, account)) >= CEILINGS.webhook_endpoints) {
    throw new Problem('webhook_endpoint_limit_reached')
  }
  const id = newId('webhook_endpoint')
  const secret = newSigningSecret()
  const row = await insertEndpoint(sql, {
    account_id: account.account_id,
    id,
    mode: account.mode,
    url,
    description: input.description ?? '',
    enabled_events: normalizeEvents(input.enabled_events ?? ['*']),
    empresas,
    secret: sealSecret(ctx.ports.vault, id, secret),
    made_by: ctx.caller.credential_id,
    created_at: ctx.now(),
  })
  await bindToGrant(ctx, { id, kind: 'webhook_endpoint', label: new URL(url).host })
  return { ...showEndpoint(row), secret }
}

export async function listOwnEndpoints(ctx: AccountContext, input: PageInput): Promise<ListPage<WebhookEndpoint>> {
  const fetch = (page: { before: string | null; take: number }) =>
    listEndpoints(ctx.sql, ctx.account, reachOf(ctx), page)
  return pageById(ctx, 'webhook_endpoints', ctx.account, input, fetch, showEndpoint)
}

/** As people tell endpoints apart, without what a query may carry. */
export function placeOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}

export async function readEndpoint(ctx: AccountContext, input: EndpointPath): Promise<WebhookEndpoint> {
  return showEndpoint(await requireEndpoint(ctx, input.webhook_endpoint_id))
}

/** The status it already has changes nothing. */
async function moveTo(ctx: AccountContext, row: EndpointRow, status: EndpointRow['status']): Promise<void> {
  if (row.status === status) return
  await advance(ctx.sql, webhookEndpointMachine, ctx.account, row.id, status)
  await saveDisabledReason(ctx.sql, row, status === 'disabled' ? 'requested' : null)
}

/**
 * Whoever gives an endpoint an address answers for that; so does a person who enables it, and an agent that brings back one
 * that ended with another. Who answers for the secret changes with the secret alone: the agent that knows it could go on signing.
 */
async function takeOver(ctx: AccountContext, before: EndpointRow, after: EndpointRow, sent: UpdateWebhookEndpoint) {
  const enables = sent.status === 'enabled' && (before.grant_ended === true || ctx.caller.kind !== 'agent')
  if (sent.url === undefined && !enables) return
  await bindToGrant(ctx, { id: after.id, kind: 'webhook_endpoint', label: new URL(after.url).host }, ['address'])
}

/** What somebody without access could sign must not be sent as ours. */
function requireOwnSecret({ secret_exposed, secret_grant_ended }: EndpointRow): void {
  if (secret_exposed || secret_grant_ended) throw new Problem('webhook_secret_exposed')
}

/**
 * A field that was not sent stays as it was. The secret is untouched. Whoever gives it an address or enables it answers for
 * where it sends from then on.
 */
export async function updateEndpoint(
  ctx: AccountContext,
  input: EndpointPath & UpdateWebhookEndpoint,
): Promise<WebhookEndpoint> {
  const row = await requireEndpoint(ctx, input.webhook_endpoint_id, { lock: true })
  if (input.status === 'enabled') requireOwnSecret(row)
  const saved = await saveEndpoint(ctx.sql, row, {
    url: input.url === undefined ? row.url : checkUrl(ctx, input.url),
    description: input.description ?? row.description,
    enabled_events: input.enabled_events ? normalizeEvents(input.enabled_events) : row.enabled_events,
    empresas: input.empresas ? checkEmpresas(ctx, input.empresas) : row.empresas,
  })
  await takeOver(ctx, row, saved, input)
  const acts = {
    url: input.url !== undefined,
    enabled: input.status === 'enabled' && (row.status === 'disabled' || row.grant_ended === true),
  }
  if (acts.url || acts.enabled) await recordActs(ctx.sql, row, actOf(ctx), acts)
  await moveTo(ctx, saved, input.status ?? saved.status)
  return showEndpoint(await requireEndpoint(ctx, row.id))
}

/**
 * Gives an endpoint a new secret. The old one signs beside it for 24 hours of real time, also under a test clock: a
 * secret is not part of the simulated world. One that an agent knows, or somebody who was thrown out, signs no more.
 */
export async function rotateSecret(ctx: AccountContext, input: EndpointPath): Promise<WebhookEndpointWithSecret> {
  const row = await requireEndpoint(ctx, input.webhook_endpoint_id, { lock: true })
  const secret = newSigningSecret()
  const act = actOf(ctx)
  const known = row.secret_exposed || (await isSecretOfAgent(ctx, row.id))
  const until = known ? null : secondsFrom(act.at, RETENTION.secret_overlap_seconds)
  await replaceSecret(ctx.sql, row, { secret: sealSecret(ctx.ports.vault, row.id, secret), until, ...act })
  // Whoever made the one before knows it no more: the endpoint no longer ends with the grant of that agent.
  await bindToGrant(ctx, { id: row.id, kind: 'webhook_endpoint', label: new URL(row.url).host }, ['secret'])
  return { ...showEndpoint(row), secret }
}

/** Its secrets go with it. Pending deliveries end when their turn comes; none can be read any more. */
export async function deleteEndpoint(ctx: AccountContext, input: EndpointPath): Promise<null> {
  await deleteEndpointRow(ctx.sql, await requireEndpoint(ctx, input.webhook_endpoint_id, { lock: true }))
  return null
}

/** The same for every endpoint of an account that closes. */
export async function deleteAccountEndpoints(sql: Sql, account_id: string): Promise<void> {
  await deleteEndpointsOf(sql, account_id)
}
