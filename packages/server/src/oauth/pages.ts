import type { Interaction, Provider } from 'oidc-provider'
import type { Scope } from '../catalog/scopes.ts'
import { type Choices, readChoices } from '../domain/platform/agent-grant/choices.ts'
import {
  type Allowed,
  allowedBy,
  type ConsentDraft,
  ConsentRefused,
  sentDraft,
  suggestedDraft,
} from '../domain/platform/agent-grant/consent-form.ts'
import { createGrant } from '../domain/platform/agent-grant/create.ts'
import type { PlainRequest, PlainRoute } from '../http/route-types.ts'
import type { Answer } from '../kernel/answer.ts'
import { systemNow } from '../kernel/clock.ts'
import { newId } from '../kernel/id.ts'
import { type AgentAsking, consentPage, loginPage, troublePage } from '../pages/consent.ts'
import { AGENT_SCOPES, audienceOf, OAUTH_PATHS } from './metadata.ts'
import { logInAt, type OauthParts, transactFor } from './parts.ts'
import type { AuthorizationServer } from './provider.ts'

export interface ConsentParts extends OauthParts {
  readonly server: () => Promise<AuthorizationServer>
}

/** One question to a person, as it stands. */
interface Question {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly asking: AgentAsking
  readonly scopes: readonly Scope[]
  readonly account_id: string | null
}

/** The question a browser is at: the one its signed cookie names, which must be the one in the address. */
async function questionOf(parts: ConsentParts, { params, node }: PlainRequest): Promise<Question | null> {
  const { provider } = await parts.server()
  const interaction = await provider.interactionDetails(node.req, node.res).catch(() => null)
  if (!interaction || interaction.uid !== params.uid) return null
  const { client_id, redirect_uri, scope } = interaction.params as Record<string, string | undefined>
  const client = await provider.Client.find(client_id ?? '')
  if (!client || redirect_uri === undefined) return null
  const asked = (scope ?? '').split(' ')
  const asking = {
    client_id: client.clientId,
    client_name: client.clientName ?? '',
    redirect_uri,
    path: `${OAUTH_PATHS.consent}/${interaction.uid}`,
  }
  const account_id = interaction.prompt.name === 'consent' ? (interaction.session?.accountId ?? null) : null
  return { provider, interaction, asking, scopes: AGENT_SCOPES.filter((each) => asked.includes(each)), account_id }
}

const goTo = (address: string): Answer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: null,
})

const REFUSED = { error: 'access_denied', error_description: 'the person refused' }
const NOT_OFFERED = { error: 'invalid_scope', error_description: 'none of the scopes asked for is offered here' }

async function refuse({ provider }: Question, { node }: PlainRequest, result = REFUSED): Promise<Answer> {
  return goTo(await provider.interactionResult(node.req, node.res, result, { mergeWithLastSubmission: false }))
}

async function logIn(parts: ConsentParts, question: Question, request: PlainRequest): Promise<Answer> {
  const entered = await logInAt(parts, request)
  if ('refused' in entered) return loginPage(question.asking, { email: request.form.email ?? '', ...entered.refused })
  const { req, res } = request.node
  const login = { accountId: entered.account_id, remember: false }
  return goTo(await question.provider.interactionResult(req, res, { login }))
}

/** What the library keeps of it, under the id of the grant: what was asked and not allowed is refused for good. */
async function keepGrant(parts: ConsentParts, question: Question, id: string, allowed: Allowed) {
  const { provider, asking, scopes } = question
  const grant = new provider.Grant({ accountId: question.account_id ?? '', clientId: asking.client_id })
  const audience = audienceOf(parts.addresses.public_url)
  const declined = scopes.filter((scope) => !allowed.scopes.includes(scope))
  grant.jti = id
  grant.exp = Math.floor(systemNow() / 1000) + allowed.days * 86_400
  grant.addResourceScope(audience, allowed.scopes.join(' '))
  if (declined.length > 0) grant.rejectResourceScope(audience, declined.join(' '))
  await grant.save()
  return grant
}

async function allow(
  parts: ConsentParts,
  question: Question,
  request: PlainRequest,
  choices: Choices,
  allowed: Allowed,
): Promise<Answer> {
  const { provider, interaction, asking } = question
  const { account_id } = choices
  const write_to = choices.email_verified ? choices.email : null
  const id = newId('agent_grant')
  const kept = await keepGrant(parts, question, id, allowed)
  const client_host = new URL(asking.redirect_uri).host
  const { client_id, client_name } = asking
  const chosen = { ...allowed, id, account_id, write_to, client_id, client_name, client_host }
  const made = await transactFor(parts, { account_id, mode: allowed.mode }, (ctx) =>
    createGrant(ctx, interaction.uid, chosen),
  )
  // Sent twice by an impatient hand: the first answer stands, and both lead to it.
  if (!made) {
    await kept.destroy()
    return goTo(interaction.returnTo)
  }
  const { req, res } = request.node
  return goTo(await provider.interactionResult(req, res, { consent: { grantId: id } }))
}

async function decide(parts: ConsentParts, question: Question, request: PlainRequest): Promise<Answer> {
  const choices = await readChoices(parts.db.sql, question.account_id ?? '')
  if (!choices) return troublePage(400)
  const draft: ConsentDraft = sentDraft(request.form, question.scopes, choices)
  try {
    return await allow(parts, question, request, choices, allowedBy(draft, choices))
  } catch (error) {
    if (!(error instanceof ConsentRefused)) throw error
    return consentPage({ ...question, choices, draft, problem: { text: error.message, status: error.status } })
  }
}

async function show(parts: ConsentParts, request: PlainRequest): Promise<Answer> {
  const question = await questionOf(parts, request)
  if (!question) return troublePage(400)
  if (question.scopes.length === 0) return refuse(question, request, NOT_OFFERED)
  if (question.account_id === null) return loginPage(question.asking)
  const choices = await readChoices(parts.db.sql, question.account_id)
  if (!choices) return troublePage(400)
  return consentPage({ ...question, choices, draft: suggestedDraft(question.scopes, choices) })
}

/**
 * A form of ours comes from a page of ours. Older browsers name its origin at most, and none for a page that sends no
 * referrer; there the cookie, which is Lax, answers for it.
 */
function fromElsewhere({ header }: PlainRequest, public_url: string): boolean {
  const site = header('sec-fetch-site')
  if (site !== undefined) return !['same-origin', 'none'].includes(site)
  return ![public_url, 'null', undefined].includes(header('origin'))
}

async function take(parts: ConsentParts, request: PlainRequest): Promise<Answer> {
  const question = fromElsewhere(request, parts.addresses.public_url) ? null : await questionOf(parts, request)
  if (!question) return troublePage(400)
  if (request.form.decision === 'refuse') return refuse(question, request)
  // A question that waits for a login takes a login, whatever was sent to it.
  return question.account_id === null ? logIn(parts, question, request) : decide(parts, question, request)
}

/** Where a person decides what an agent may do. */
export function consentRoutes(parts: ConsentParts): PlainRoute[] {
  const path = `${OAUTH_PATHS.consent}/{uid}`
  return [
    { path, answer: (request) => show(parts, request) },
    { path, method: 'POST', answer: (request) => take(parts, request) },
  ]
}
