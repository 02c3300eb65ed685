import { isMode, MODE_NAMES, type Mode } from '../catalog/modes.ts'
import { lendToAgentPages } from '../domain/platform/account/session.ts'
import { listActs } from '../domain/platform/agent-grant/acts.ts'
import { grantOwner } from '../domain/platform/agent-grant/revoke.ts'
import type { AgentGrant } from '../domain/platform/agent-grant/schema.ts'
import { listActiveEmpresas } from '../domain/platform/empresa/lookup.ts'
import type { PlainRequest, PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import { isId } from '../kernel/id.ts'
import type { AccountScope } from '../kernel/scope.ts'
import { messagePage } from '../pages/account.ts'
import { AGENTS_PATH, type EmpresaNames, ownAgentPage } from '../pages/agent-grant.ts'
import { type AgentsOfMode, agentsLoginPage, agentsPage, endAgentPage } from '../pages/agents.ts'
import { asPrivate } from '../pages/layout.ts'
import { goTo, noCookie, type Person, sessionCookie, signedIn } from './agents-session.ts'
import { openSession } from './login.ts'
import { nameSubjects } from './name-subjects.ts'
import type { OauthParts } from './transact.ts'

const NOT_FOUND = asPrivate(
  messagePage('No encontramos ese agente', 'Puede que el enlace esté incompleto, o que sea de otra cuenta.', {
    status: 404,
  }),
)

/** What an operation refused, as a page: a session that ended leads to the login, and haste is told to wait. */
function refusalPage(parts: OauthParts, { status, headers }: Answer, to: string | null = null): Answer {
  if (status === 401) {
    const page = agentsLoginPage(to, { text: 'Tu sesión terminó. Entra otra vez.', status })
    return { ...page, headers: { ...page.headers, 'Set-Cookie': noCookie(parts) } }
  }
  if (status === 404) return NOT_FOUND
  const text = status === 429 ? 'Espera un momento y vuelve a cargar esta página.' : 'Inténtalo otra vez en un momento.'
  const page = asPrivate(messagePage('No pudimos seguir', text, { status }))
  const wait = headers['Retry-After']
  return wait === undefined ? page : { ...page, headers: { ...page.headers, 'Retry-After': wait } }
}

const MOST_NAMES = 200

async function namesOf({ db }: OauthParts, { account_id }: Person): Promise<EmpresaNames> {
  const empresas = await listActiveEmpresas(db.sql, account_id, MOST_NAMES)
  const of = (mode: Mode) =>
    new Map(empresas.flatMap((one) => (one.mode === mode ? [[one.rut, one.legal_name] as const] : [])))
  return { test: of('test'), live: of('live') }
}

/** Production first: what is real matters more. */
const IN_ORDER: readonly Mode[] = [...MODE_NAMES].reverse()
const PAGE = '20'

type Listed = Omit<AgentsOfMode, 'mode'>

async function showAgents(parts: OauthParts, request: PlainRequest, person: Person): Promise<Answer> {
  const { query, callAsSession } = request
  const all = query.todos === 'si'
  const modes = isMode(query.modo) ? [query.modo] : IN_ORDER
  const lists: AgentsOfMode[] = []
  for (const mode of modes) {
    const list = (more: Record<string, string>) =>
      callAsSession({ ...person, mode }, 'agent_grants.list', {
        query: { limit: PAGE, ...(!all && { status: 'active' }), ...more },
      })
    const from = modes.length === 1 && typeof query.desde === 'string' ? { cursor: query.desde } : {}
    const answer = await list(from)
    // A place of another list means nothing here: it begins again.
    const shown = answer.status === 400 ? await list({}) : answer
    if (shown.status !== 200) return refusalPage(parts, shown)
    lists.push({ mode, ...(JSON.parse(shown.body ?? '{}') as Listed) })
  }
  return agentsPage({ email: person.email, lists, names: await namesOf(parts, person), all })
}

interface Found {
  readonly grant: AgentGrant
  readonly account: AccountScope
}

/** A grant by its id, as the operation answers it to this person: nobody reads that of another account. */
async function findOwn(
  { db }: OauthParts,
  { callAsSession }: PlainRequest,
  person: Person,
  grant_id: string,
): Promise<Found | Answer> {
  const owner = isId('agent_grant', grant_id) ? await grantOwner(db.sql, grant_id) : null
  if (!owner) return NOT_FOUND
  const { mode } = owner
  const answer = await callAsSession({ ...person, mode }, 'agent_grants.get', { params: { grant_id } })
  if (answer.status !== 200) return answer
  return { grant: JSON.parse(answer.body ?? '{}') as AgentGrant, account: { account_id: person.account_id, mode } }
}

type Shown = (found: Found, person: Person) => Promise<Answer>

/** A page about one agent of the person who is signed in. */
async function withOwn(parts: OauthParts, request: PlainRequest, grant_id: string, show: Shown): Promise<Answer> {
  const person = await signedIn(parts, request)
  const to = isId('agent_grant', grant_id) ? grant_id : null
  if (!person) return agentsLoginPage(to)
  const found = await findOwn(parts, request, person, grant_id)
  return 'grant' in found ? show(found, person) : refusalPage(parts, found, to)
}

export function showOwnAgent(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  const { query, params } = request
  return withOwn(parts, request, params.slug ?? '', async ({ grant, account }, person) => {
    const { sql } = parts.db
    const before = typeof query.antes === 'string' ? query.antes : null
    const page = await listActs(sql, account, grant.id, before)
    const acts = { ...page, names: await nameSubjects(sql, account, page.acts) }
    const ended = query.listo === 'si' && grant.status !== 'active'
    return ownAgentPage({ grant, acts, names: await namesOf(parts, person), ended })
  })
}

function askToEnd(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  return withOwn(parts, request, request.params.grant_id ?? '', async ({ grant }) =>
    grant.status === 'active' ? endAgentPage(grant) : goTo(`${AGENTS_PATH}/${grant.id}`),
  )
}

/** Ends it by the operation itself, with its guards, its event and its entry in the audit log. */
function end(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  return withOwn(parts, request, request.params.grant_id ?? '', async ({ grant, account }, person) => {
    const session = { ...person, mode: account.mode }
    const params = { grant_id: grant.id }
    const answer = await request.callAsSession(session, 'agent_grants.revoke', { params })
    if (answer.status >= 300) return refusalPage(parts, answer, grant.id)
    return goTo(`${AGENTS_PATH}/${grant.id}?listo=si`)
  })
}

async function signIn(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  const { email = '', agente = '' } = request.form
  const to = isId('agent_grant', agente) ? agente : null
  const opened = await openSession(parts, request)
  if ('refused' in opened) return agentsLoginPage(to, { ...opened.refused, email })
  await lendToAgentPages(parts.db.sql, opened.session)
  const address = to === null ? AGENTS_PATH : `${AGENTS_PATH}/${to}`
  return goTo(address, { 'Set-Cookie': sessionCookie(parts, opened.token) })
}

async function signOut(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  const person = await signedIn(parts, request)
  if (person) await request.callAsSession(person, 'account.logout')
  return goTo(AGENTS_PATH, { 'Set-Cookie': noCookie(parts) })
}

/** Where a person sees every agent they let in, what each did, and ends it. */
export function agentsRoutes(parts: OauthParts): PlainRoute[] {
  const ending = `${AGENTS_PATH}/{grant_id}/quitar`
  return [
    {
      path: AGENTS_PATH,
      answer: async (request) => {
        const person = await signedIn(parts, request)
        return person ? showAgents(parts, request, person) : agentsLoginPage(null)
      },
    },
    { path: AGENTS_PATH, method: 'POST', answer: (request) => signIn(parts, request) },
    { path: `${AGENTS_PATH}/salir`, method: 'POST', answer: (request) => signOut(parts, request) },
    { path: ending, answer: (request) => askToEnd(parts, request) },
    { path: ending, method: 'POST', answer: (request) => end(parts, request) },
  ]
}
