import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import type { PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The only server an access token is meant for (RFC 8707). */
export const audienceOf = (public_url: string): string => `${public_url}/mcp`

/** A page of any origin may read it: no cookie counts here. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'Access-Control-Max-Age': '3600',
} as const

/** RFC 9728. */
function protectedResource(public_url: string): object {
  return {
    resource: audienceOf(public_url),
    resource_name: 'Timbre',
    authorization_servers: [public_url],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${public_url}/docs`,
  }
}

/** RFC 8414: what is offered, and nothing that is not. */
function authorizationServer(public_url: string): object {
  const at = (path: string) => public_url + path
  return {
    issuer: public_url,
    authorization_endpoint: at(OAUTH_PATHS.authorize),
    token_endpoint: at(OAUTH_PATHS.token),
    registration_endpoint: at(OAUTH_PATHS.register),
    revocation_endpoint: at(OAUTH_PATHS.revoke),
    scopes_supported: AGENT_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: at('/docs'),
    ui_locales_supported: ['es-CL'],
  }
}

const asJson = (body: object): Answer => ({
  status: 200,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    ...ANY_ORIGIN,
  },
  body: JSON.stringify(body),
})

/** Answers the browser's CORS preflight (Fetch). */
export const preflight = (path: string): PlainRoute => ({
  path,
  method: 'OPTIONS',
  answer: () => ({ status: 204, headers: ANY_ORIGIN, body: null }),
})

/** The discovery documents, under every address that clients try. */
export function metadataRoutes(public_url: string): PlainRoute[] {
  const server = asJson(authorizationServer(public_url))
  const resource = asJson(protectedResource(public_url))
  const documents: readonly (readonly [string, Answer])[] = [
    ['/.well-known/oauth-authorization-server', server],
    ['/.well-known/oauth-authorization-server/mcp', server],
    ['/.well-known/oauth-authorization-server/oauth', server],
    ['/.well-known/oauth-protected-resource', resource],
    ['/.well-known/oauth-protected-resource/mcp', resource],
  ]
  return documents.flatMap(([path, answer]) => [{ path, answer: () => answer }, preflight(path)])
}
