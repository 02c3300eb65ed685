import type { Interaction, Provider } from 'oidc-provider'
import type { Scope } from '../catalog/scopes.ts'
import { DAY_SECONDS } from '../catalog/time.ts'
import { logout } from '../domain/platform/account/login.ts'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import {
  type AllowedGrant,
  type Choices,
  type ConsentDraft,
  ConsentRefused,
  grantFrom,
  readChoices,
  submittedDraft,
  suggestedDraft,
} from '../domain/platform/agent-grant/consent-form.ts'
import { createGrant } from '../domain/platform/agent-grant/create.ts'
import { listReplaceable } from '../domain/platform/agent-grant/replace.ts'
import type { PlainRequest, PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import { systemNow } from '../kernel/clock.ts'
import { newId } from '../kernel/id.ts'
import { consentErrorPage, consentPage, loginPage, type RequestingAgent } from '../pages/consent.ts'
import { type LoginRefused, openSession } from './login.ts'
import { audienceOf, OAUTH_PATHS } from './metadata.ts'
import type { AuthorizationServer } from './provider.ts'
import { type OauthParts, transactFor } from './transact.ts'

export interface ConsentParts extends OauthParts {
  readonly server: () => Promise<AuthorizationServer>
}

/** A request for consent that waits for a person's decision. */
interface ConsentRequest {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly agent: RequestingAgent
  readonly scopes: readonly Scope[]
  readonly account_id: string | null
}

/** The request that a browser is at: the one its signed cookie names, which must be the one in the address. */
async function findConsentRequest(parts: ConsentParts, { params, node }: PlainRequest): Promise<ConsentRequest | null> {
  const { provider } = await parts.server()
  const interaction = await provider.interactionDetails(node.req, node.res).catch(() => null)
  if (!interaction || interaction.uid !== params.uid) return null
  const { client_id, redirect_uri, scope } = interaction.params as Record<string, string | undefined>
  const client = await provider.Client.find(client_id ?? '')
  if (!client || redirect_uri === undefined) return null
  const requested = (scope ?? '').split(' ')
  const agent = {
    client_id: client.clientId,
    client_name: client.clientName ?? '',
    redirect_uri,
    path: `${OAUTH_PATHS.consent}/${interaction.uid}`,
  }
  const account_id = interaction.prompt.name === 'consent' ? (interaction.session?.accountId ?? null) : null
  const scopes = AGENT_SCOPES.filter((each) => requested.includes(each))
  return { provider, interaction, agent, scopes, account_id }
}

const goTo = (address: string): Answer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: null,
})

const REFUSED = { error: 'access_denied', error_description: 'the person refused' }

async function refuse({ provider }: ConsentRequest, { node }: PlainRequest): Promise<Answer> {
  return goTo(await provider.interactionResult(node.req, node.res, REFUSED, { mergeWithLastSubmission: false }))
}

type Login = { readonly account_id: string } | LoginRefused

/** Checks a password through the login operation, with its throttles. The session it opens is not needed and ends at once. */
async function checkPassword({ db, ports }: OauthParts, request: PlainRequest): Promise<Login> {
  const opened = await openSession({ db, ports }, request)
  if ('refused' in opened) return opened
  const { session } = opened
  await logout({ sql: db.sql, ...session, now: () => new Date(systemNow()) })
  return { account_id: session.account_id }
}

async function logIn(parts: ConsentParts, consent: ConsentRequest, request: PlainRequest): Promise<Answer> {
  const login = await checkPassword(parts, request)
  if ('refused' in login) return loginPage(consent.agent, { email: request.form.email ?? '', ...login.refused })
  const { req, res } = request.node
  const result = { login: { accountId: login.account_id, remember: false } }
  return goTo(await consent.provider.interactionResult(req, res, result))
}

/** Saves the library's own grant under the id of ours: scopes that were requested and not allowed are refused for good. */
async function saveLibraryGrant(parts: ConsentParts, consent: ConsentRequest, id: string, allowed: AllowedGrant) {
  const { provider, agent, scopes } = consent
  const grant = new provider.Grant({ accountId: consent.account_id ?? '', clientId: agent.client_id })
  const audience = audienceOf(parts.addresses.public_url)
  const declined = scopes.filter((scope) => !allowed.scopes.includes(scope))
  grant.jti = id
  grant.exp = Math.floor(systemNow() / 1000) + allowed.days * DAY_SECONDS
  grant.addResourceScope(audience, allowed.scopes.join(' '))
  if (declined.length > 0) grant.rejectResourceScope(audience, declined.join(' '))
  await grant.save()
  return grant
}

async function allow(
  parts: ConsentParts,
  consent: ConsentRequest,
  request: PlainRequest,
  choices: Choices,
  allowed: AllowedGrant,
): Promise<Answer> {
  const { provider, interaction, agent } = consent
  const { account_id } = choices
  const write_to = choices.email_verified ? choices.email : null
  const id = newId('agent_grant')
  const saved = await saveLibraryGrant(parts, consent, id, allowed)
  const client_host = new URL(agent.redirect_uri).host
  const { client_id, client_name } = agent
  const chosen = { ...allowed, id, account_id, write_to, client_id, client_name, client_host }
  const { ip, request_id } = request
  const actor = { kind: 'session', id: null, ip, request_id } as const
  const act = { action: 'agent_grants.create', subject: id, actor } as const
  const created = await transactFor(parts, { account_id, mode: allowed.mode }, act, (ctx) =>
    createGrant(ctx, interaction.uid, chosen),
  )
  // The form was sent twice: the first answer stands, and both lead to it.
  if (!created) {
    await saved.destroy()
    return goTo(interaction.returnTo)
  }
  const { req, res } = request.node
  return goTo(await provider.interactionResult(req, res, { consent: { grantId: id } }))
}

async function decide(parts: ConsentParts, consent: ConsentRequest, request: PlainRequest): Promise<Answer> {
  const choices = await readChoices(parts.db.sql, consent.account_id ?? '')
  if (!choices) return consentErrorPage(400)
  const earlier = await listReplaceable(parts.db.sql, choices.account_id, consent.agent.client_id)
  const draft: ConsentDraft = submittedDraft(request.form, consent.scopes, choices)
  try {
    return await allow(parts, consent, request, choices, grantFrom(draft, choices))
  } catch (error) {
    if (!(error instanceof ConsentRefused)) throw error
    return consentPage({ ...consent, choices, earlier, draft, problem: { text: error.message, status: error.status } })
  }
}

async function show(parts: ConsentParts, request: PlainRequest): Promise<Answer> {
  const consent = await findConsentRequest(parts, request)
  if (!consent) return consentErrorPage(400)
  // Nobody has seen the page yet, so nothing is sent to the client.
  if (consent.scopes.length === 0) return consentErrorPage(400)
  if (consent.account_id === null) return loginPage(consent.agent)
  const choices = await readChoices(parts.db.sql, consent.account_id)
  if (!choices) return consentErrorPage(400)
  const earlier = await listReplaceable(parts.db.sql, choices.account_id, consent.agent.client_id)
  return consentPage({ ...consent, choices, earlier, draft: suggestedDraft(consent.scopes, choices) })
}

async function submit(parts: ConsentParts, request: PlainRequest): Promise<Answer> {
  const consent = await findConsentRequest(parts, request)
  if (!consent) return consentErrorPage(400)
  if (request.form.decision === 'refuse') return refuse(consent, request)
  // A request that waits for a login takes a login, whatever was sent to it.
  return consent.account_id === null ? logIn(parts, consent, request) : decide(parts, consent, request)
}

/** The page on which a person decides what an agent may do. */
export function consentRoutes(parts: ConsentParts): PlainRoute[] {
  const path = `${OAUTH_PATHS.consent}/{uid}`
  return [
    { path, answer: (request) => show(parts, request) },
    { path, method: 'POST', answer: (request) => submit(parts, request) },
  ]
}
