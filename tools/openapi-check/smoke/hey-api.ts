// Compiled with what @hey-api/openapi-ts writes and then run: calls go out as the contract says, and answers come back typed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { client } from './hey-v1/client.gen.js'
import { documentsCreate, documentsList, documentsPdf } from './hey-v1/index.js'

interface Recorded {
  readonly request: { readonly body?: never }
  readonly response: { readonly status: number; readonly body: unknown }
}

const [, , examples_file = ''] = process.argv
const examples = JSON.parse(readFileSync(examples_file, 'utf8')) as Record<string, Recorded>
const recorded = (id: string): Recorded => {
  const found = examples[id]
  if (!found) throw new Error(`${id} has no example`)
  return found
}

/** Answers the next call, and keeps how it was made. */
function answering(status: number, body: unknown, type = 'application/json'): Request[] {
  const asked: Request[] = []
  const fetch = async (request: Request | URL | string) => {
    asked.push(request as Request)
    const bytes = type === 'application/json' ? JSON.stringify(body) : (body as string)
    return new Response(bytes, { status, headers: { 'Content-Type': type } })
  }
  client.setConfig({
    baseUrl: 'http://127.0.0.1:3000/v1',
    auth: 'sk_test_key',
    fetch: fetch as typeof globalThis.fetch,
  })
  return asked
}

const made = recorded('documents.create')
const sent = answering(made.response.status, made.response.body)
const body = made.request.body ?? assert.fail('documents.create has no body')
const created = await documentsCreate({
  body,
  headers: { 'Svc-Empresa': '76192083-9', 'Idempotency-Key': 'order-1' },
})
assert.equal(created.error, undefined)
// Typed: a misspelt field of the answer would not compile.
assert.deepEqual([created.data?.object, created.data?.status], ['document', 'queued'])
assert.equal(sent[0]?.url, 'http://127.0.0.1:3000/v1/documents')
assert.equal(sent[0]?.method, 'POST')
assert.deepEqual(await sent[0]?.json(), body)
assert.equal(sent[0]?.headers.get('authorization'), 'Bearer sk_test_key')
assert.equal(sent[0]?.headers.get('svc-empresa'), '76192083-9')

const listing = recorded('documents.list').response
const asked = answering(listing.status, listing.body)
const page = await documentsList({ query: { limit: 5, status: 'accepted' }, headers: { 'Svc-Empresa': '76192083-9' } })
assert.equal(asked[0]?.url, 'http://127.0.0.1:3000/v1/documents?limit=5&status=accepted')
assert.deepEqual(
  page.data?.data.map(({ id }) => id),
  (listing.body as { data: { id: string }[] }).data.map(({ id }) => id),
)

const errors = [{ param: 'items[0].unit_price', code: 'invalid_field', message: 'It is required.' }]
answering(400, { error: { type: 'invalid_request_error', code: 'invalid_field', details: { errors } } })
const refused = await documentsCreate({ body, headers: { 'Svc-Empresa': '76192083-9', 'Idempotency-Key': 'order-2' } })
assert.equal(refused.error?.error.details?.errors?.[0]?.param, 'items[0].unit_price')

const files = answering(200, '%PDF-1.7', 'application/pdf')
const pdf = await documentsPdf({ path: { document_id: 'doc_1' }, headers: { 'Svc-Empresa': '76192083-9' } })
assert.equal(files[0]?.url, 'http://127.0.0.1:3000/v1/documents/doc_1/pdf')
assert.equal(await (pdf.data as Blob).text(), '%PDF-1.7')
