// Grants to agents with their access tokens, and calls over MCP with them.

import { randomBytes } from 'node:crypto'
import type { Mode } from '../../src/catalog/modes.ts'
import { COLD_START_SCOPES, type Scope } from '../../src/catalog/scopes.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/id.ts'
import { hashSecret } from '../../src/kernel/secret.ts'
import type { Sent, World } from './world.ts'

export interface GrantOptions {
  readonly mode?: Mode
  readonly scopes?: readonly Scope[]
  readonly empresas?: readonly string[]
  readonly two_steps?: boolean
  readonly audience?: string
  readonly max_clp_per_document?: number
  readonly max_clp_per_day?: number
}

/** A grant as consent leaves it, with an access token: what the OAuth doors would have given. */
export async function grantTo(world: World, account: string, options: GrantOptions = {}) {
  const id = newId('agent_grant')
  const token = randomBytes(32).toString('base64url')
  const now = systemNow()
  const scopes = [...(options.scopes ?? COLD_START_SCOPES)]
  const later = new Date(now + 3_600_000)
  await world.db.sql`
    insert into agent_grant (id, account_id, mode, client_id, client_name, client_host, scopes, empresas, two_steps,
      max_clp_per_document, max_clp_per_day, created_at, expires_at)
    values (${id}, ${account}, ${options.mode ?? 'test'}, 'client', 'Asistente de prueba', 'agente.test', ${scopes},
      ${[...(options.empresas ?? ['*'])]}, ${options.two_steps ?? true}, ${options.max_clp_per_document ?? null},
      ${options.max_clp_per_day ?? null}, ${new Date(now)}, ${later})`
  const payload = { scope: scopes.join(' '), aud: options.audience ?? 'http://timbre.test/mcp' }
  await world.db.sql`
    insert into oauth_item (model, hash, grant_id, payload, expires_at)
    values ('AccessToken', ${hashSecret(token)}, ${id}, ${JSON.stringify(payload)}::jsonb, ${later})`
  return { id, token }
}

export const MCP_HEADERS = { accept: 'application/json, text/event-stream' }

/** Every operation as a tool, and answers as structure too: what a program asks for. */
export const MCP_IN_FULL = '/mcp?toolsets=all&output=structured'

/** One JSON-RPC message to /mcp, which is asked for everything in full unless told otherwise. */
export function rpc(
  world: World,
  token: string | null,
  method: string,
  params: object = {},
  address: string = MCP_IN_FULL,
): Promise<Sent> {
  return world.post(address, {
    headers: { ...MCP_HEADERS, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
}

export interface Used {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  readonly structuredContent: any
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text?: string; readonly resource?: { blob: string } }[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Uses a tool and gives its result; a refusal by the protocol itself fails the test. */
export async function useTool(world: World, token: string, name: string, args: object = {}): Promise<Used> {
  const sent = await rpc(world, token, 'tools/call', { name, arguments: args })
  if (!sent.body?.result) throw new Error(`no result: ${sent.status} ${sent.text}`)
  return sent.body.result
}

/** Uses a tool as for a person who agrees to whatever is shown to them. */
export async function agreeTo(world: World, token: string, name: string, args: object = {}): Promise<Used> {
  const first = await useTool(world, token, name, args)
  const { confirmation } = first.structuredContent ?? {}
  return confirmation ? useTool(world, token, name, { ...args, confirmation: confirmation.token }) : first
}
