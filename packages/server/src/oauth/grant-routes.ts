import { readGrant } from '../domain/platform/agent-grant/read.ts'
import { grantOfSlug, grantOwner, revokeGrant } from '../domain/platform/agent-grant/revoke.ts'
import type { PlainRequest, PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import { systemNow } from '../kernel/clock.ts'
import { isId } from '../kernel/id.ts'
import { messagePage } from '../pages/account.ts'
import { agentGrantPage } from '../pages/agent-grant.ts'
import { asPrivate } from '../pages/layout.ts'
import { showOwnAgent } from './agents-routes.ts'
import { type OauthParts, transactFor } from './transact.ts'

const NOT_FOUND = messagePage(
  'Este enlace no existe',
  'Puede que esté incompleto. Ábrelo tal como viene en el correo.',
  { status: 404 },
)

/** The grant behind a slug, which is the only credential: it came in the letter, and all it can do is revoke the access. */
async function findGrant({ db, ports }: OauthParts, { params }: PlainRequest) {
  const id = grantOfSlug(ports.sessions, params.slug ?? '')
  const owner = id === null ? null : await grantOwner(db.sql, id)
  return id === null || owner === null ? null : { id, owner }
}

/** A slug of the letter proves itself; an id alone is shown to whoever is signed in and owns it. */
async function show(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  if (isId('agent_grant', request.params.slug ?? '')) return showOwnAgent(parts, request)
  const found = await findGrant(parts, request)
  if (!found) return NOT_FOUND
  return agentGrantPage(await readGrant(parts.db.sql, found.owner, found.id, systemNow()), request.params.slug ?? '')
}

async function revoke(parts: OauthParts, request: PlainRequest): Promise<Answer> {
  const found = await findGrant(parts, request)
  if (!found) return NOT_FOUND
  const { ip, request_id } = request
  const actor = { kind: 'link', id: null, ip, request_id } as const
  const act = { action: 'agent_grants.revoke', subject: found.id, actor } as const
  await transactFor(parts, found.owner, act, (ctx) => revokeGrant(ctx, found.id))
  const grant = await readGrant(parts.db.sql, found.owner, found.id, systemNow())
  return agentGrantPage(grant, request.params.slug ?? '', 'Listo, ya no tiene acceso')
}

/** The page that the letter links to: what an agent may do, and one button to revoke it. Opening it does nothing by itself. */
export function grantRoutes(parts: OauthParts): PlainRoute[] {
  const path = '/agentes/{slug}'
  return [
    { path, answer: async (request) => asPrivate(await show(parts, request)) },
    { path, method: 'POST', answer: async (request) => asPrivate(await revoke(parts, request)) },
  ]
}
