import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { grantTo } from '../../test/support/agent-grant.ts'
import { BOLETA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let address: string
let issuer: Issuer

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

/** Whatever the client says to the console of whoever runs it. */
const said: unknown[][] = []
const listening = (['log', 'info', 'warn', 'error'] as const).map((level) =>
  vi.spyOn(console, level).mockImplementation((...words) => void said.push(words)),
)
afterEach(() => expect(said.splice(0)).toEqual([]))
afterAll(() => {
  for (const spy of listening) spy.mockRestore()
})

async function connect(query: string, token: string): Promise<Client> {
  const client = new Client({ name: 'cliente', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp${query}`), { requestInit }) as never)
  return client
}

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
}

/** The answer of a tool as its model reads it, which is what a program reads where both are given. */
async function use(client: Client, name: string, args: object) {
  const result = (await client.callTool({ name, arguments: { ...args } })) as unknown as Result
  const told = JSON.parse(result.content[0]?.text ?? 'null')
  if (result.structuredContent !== undefined) expect(result.structuredContent).toEqual(told)
  expect(result.isError, JSON.stringify(told)).toBeUndefined()
  return { told, structured: result.structuredContent !== undefined }
}

const EVERYTHING = '?toolsets=all&output=structured'

/** Every form of the list, with a tool of it that reads and one that acts. */
const FORMS = [
  { query: '', reads: 'find_documents', acts: 'issue_document' },
  { query: '?toolsets=tasks', reads: 'my_empresas', acts: 'issue_document' },
  { query: '?toolsets=documents,tax', reads: 'documents_list', acts: 'documents_create' },
  { query: '?toolsets=all', reads: 'documents_list', acts: 'documents_create' },
  { query: '?toolsets=tasks,all', reads: 'find_documents', acts: 'documents_create' },
  { query: '?output=structured', reads: 'find_documents', acts: 'issue_document' },
  { query: '?toolsets=documents&output=structured', reads: 'documents_list', acts: 'documents_create' },
  { query: EVERYTHING, reads: 'documents_list', acts: 'documents_create' },
]

const READS_AND_ISSUES = ['documents:read', 'documents:write', 'empresas:read'] as const

/** Who may connect: a developer with a key of the sandbox, and whoever a person has consented to. */
const CALLERS = [
  { who: 'a key of the sandbox', credential: async () => issuer.key, forms: FORMS },
  {
    who: 'a grant of one empresa and three scopes',
    credential: async () => {
      const grant = { scopes: READS_AND_ISSUES, empresas: [issuer.rut] }
      return (await grantTo(world, issuer.account, grant)).token
    },
    // The client compiles each schema of an answer, which takes it seconds for all of them: once is enough.
    forms: FORMS.filter(({ query }) => query !== EVERYTHING),
  },
]

describe.each(CALLERS)('the official client with $who', ({ credential, forms }) => {
  it.each(forms)('connects, lists, reads, acts in two steps and hears refusals: /mcp$query', async (form) => {
    const client = await connect(form.query, await credential())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([form.reads, form.acts]))
    const structured = form.query.includes('structured')
    expect((await use(client, form.reads, {})).structured).toBe(structured)
    const { told: shown } = await use(client, form.acts, BOLETA)
    expect(shown).toMatchObject({ confirmation_required: true })
    const { told: done } = await use(client, form.acts, { ...BOLETA, confirmation: shown.confirmation.token })
    expect(done.id).toMatch(/^doc_/)
    const refused = await client.callTool({ name: 'documents_get', arguments: { document_id: 'doc_x' } })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('document_not_found') }] })
    await client.close()
  })
})
