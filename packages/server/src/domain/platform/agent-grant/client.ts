import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { upsertItem } from './oauth-items-store.ts'

/** A registered client. It says who it is, and nobody checks. */
export interface Client {
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly application_type: 'web' | 'native'
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
}

/** A refusal in the words of RFC 7591. */
export class ClientRefused extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(code: ClientRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

const NAME_CHARS = 80
const MOST_URIS = 10
const URI_CHARS = 2_000
const UNNAMED = 'Agente sin nombre'
const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']
/** The characters of RFC 3986. Browsers read others their own way, and the database cannot even keep some. */
const WRITTEN = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/
/** A name or a number, and nothing that means more inside a policy of the page: a `*`, a `;`. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/

/** https, or http on this very machine (RFC 8252, 7.3). A scheme of its own would go to whichever program claimed it. */
function checkUri(uri: unknown): URL {
  const refused = (why: string) => new ClientRefused('invalid_redirect_uri', why)
  if (typeof uri !== 'string' || uri.length > URI_CHARS || !URL.canParse(uri))
    throw refused('every redirect URI must be an absolute address')
  const url = new URL(uri)
  if (!WRITTEN.test(uri)) throw refused('a redirect URI is written in the characters of RFC 3986, others as %XX')
  if (url.hash !== '' || uri.includes('#')) throw refused('a redirect URI carries no fragment')
  if (url.username !== '' || url.password !== '') throw refused('a redirect URI carries no credentials')
  if (!HOST.test(url.hostname)) throw refused('a redirect URI names one host')
  const local = LOOPBACK.includes(url.hostname)
  if (url.protocol !== (local ? 'http:' : 'https:')) {
    throw refused('a redirect URI is https, or http on the loopback address')
  }
  return url
}

/** Shown to a person, so it may not hide or turn around what stands beside it: no control or direction marks. */
function checkName(name: unknown): string {
  if (name === undefined || name === null) return UNNAMED
  if (typeof name !== 'string') throw new ClientRefused('invalid_client_metadata', 'client_name must be a text')
  const clean = name.replace(/\p{C}/gu, '').replace(/\s+/g, ' ').trim()
  if ([...clean].length > NAME_CHARS) {
    throw new ClientRefused('invalid_client_metadata', `client_name holds at most ${NAME_CHARS} characters`)
  }
  return clean === '' ? UNNAMED : clean
}

function checkGrants(grants: unknown): void {
  if (grants === undefined) return
  if (Array.isArray(grants) && grants.includes('authorization_code')) return
  throw new ClientRefused('invalid_client_metadata', 'grant_types must hold authorization_code')
}

/** Parses the metadata of a client (RFC 7591). What we do not offer is answered with what we do. */
export function parseClient(input: unknown): Client {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ClientRefused('invalid_client_metadata', 'the body must be one JSON object')
  }
  const { redirect_uris, client_name, grant_types } = input as Record<string, unknown>
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MOST_URIS) {
    throw new ClientRefused('invalid_redirect_uri', `redirect_uris must hold 1 to ${MOST_URIS} addresses`)
  }
  const urls = redirect_uris.map(checkUri)
  checkGrants(grant_types)
  return {
    client_id: newId('oauth_client'),
    client_id_issued_at: Math.floor(systemNow() / 1000),
    client_name: checkName(client_name),
    redirect_uris: redirect_uris as string[],
    // On the loopback address the port may be another one each time.
    application_type: urls.some(({ protocol }) => protocol === 'http:') ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

export async function saveClient(sql: Sql, client: Client): Promise<void> {
  const expires_at = daysFrom(new Date(systemNow()), RETENTION.oauth_client_days)
  const { client_id_issued_at: _, ...payload } = client
  await upsertItem(sql, { model: 'Client', id: client.client_id, uid: null, grant_id: null, payload, expires_at })
}
