import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/**
 * An agent as anybody would write it: the official client, told one address and nothing else. It asks its person to
 * authorize on standard output, and then does what it is told on standard input, a JSON line each.
 */
const url = new URL(process.argv[2] ?? '')
const say = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`)

let heard: (code: string) => void = () => undefined
const callback = createServer((request, response) => {
  const code = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('code')
  response.end('Listo, puedes cerrar esta ventana.')
  if (code) heard(code)
})
await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve))
const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`

const kept: { client?: OAuthClientInformationFull; tokens?: OAuthTokens; verifier?: string } = {}
const provider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: { client_name: 'Asistente contable', redirect_uris: [redirectUrl] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => {
    kept.client = client as OAuthClientInformationFull
  },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => {
    kept.tokens = tokens
  },
  saveCodeVerifier: (verifier) => {
    kept.verifier = verifier
  },
  codeVerifier: () => kept.verifier ?? '',
  invalidateCredentials: () => {
    delete kept.tokens
  },
  redirectToAuthorization: (authorize) => void say({ authorize: authorize.href }),
}

const client = new Client({ name: 'asistente', version: '1.0.0' })
const connect = () => client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }) as never)

async function authorize(): Promise<void> {
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
  const code = new Promise<string>((resolve) => {
    heard = resolve
  })
  await client.connect(transport as never).catch((error: unknown) => {
    if (!(error instanceof UnauthorizedError)) throw error
  })
  await transport.finishAuth(await code)
}

await authorize()
await connect()
say({ connected: client.getServerVersion()?.name, instructions: client.getInstructions() })

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as { list?: true; use?: string; arguments?: Record<string, unknown> }
  try {
    if (order.list) say({ tools: (await client.listTools()).tools.map(({ name }) => name) })
    if (order.use) say(await client.callTool({ name: order.use, arguments: order.arguments ?? {} }))
  } catch (error) {
    say({ failed: error instanceof UnauthorizedError ? 'unauthorized' : String(error) })
  }
}
process.exit(0)
