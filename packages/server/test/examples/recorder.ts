// Plays operations against a world and keeps the first success of each as its example.

import { randomUUID } from 'node:crypto'
import type { Operation } from '../../src/domain/operation.ts'
import { namesEmpresa } from '../../src/domain/operation.ts'
import { isArtifact } from '../../src/kernel/schema.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { OPERATOR_SECRET, type Sent, type World } from '../support/world.ts'
import type { Example } from './example.ts'
import { Publisher, withoutSecrets } from './publish.ts'

/** Who asks: a key, a person in a session, the operator, or nobody. */
export interface By {
  readonly key?: string
  readonly session?: string
  readonly operator?: true
  /** The empresa that a key works on, where the path does not name it. */
  readonly empresa?: string
}

export interface Asked extends By {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

/** Fields of a request that nobody publishes, and what stands in their place. */
const TYPED = /^(password|current_password|token|exchange_token|private_key)$/
/** A file is as long as it is: its first characters show what kind of text it is. */
const FILE_CHARS = 24

function shownBody(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(shownBody)
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (typeof value !== 'string') return [key, shownBody(value)]
      if (TYPED.test(key)) return [key, '...........']
      return [key, value]
    }),
  )
}

/** A file in base64 that is longer than a line is cut to whole groups of four, which is base64 still. */
function cutFiles(schema: object | undefined, body: unknown): unknown {
  const properties = (schema as { properties?: Record<string, { contentEncoding?: string }> } | undefined)?.properties
  if (!properties || body === null || typeof body !== 'object') return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const inside = properties[key]
      if (inside?.contentEncoding && typeof value === 'string') return [key, value.slice(0, FILE_CHARS)]
      return [key, typeof value === 'object' && !Array.isArray(value) ? cutFiles(inside, value) : value]
    }),
  )
}

const present = <T extends object>(part: T): T | undefined => (Object.keys(part).length > 0 ? part : undefined)

/** The first two of a list show what it is a list of. */
function shortened(body: Sent['body']): unknown {
  return body?.object === 'list' ? { ...body, data: body.data.slice(0, 2) } : body
}

function responseOf({ returns, api }: Operation, sent: Sent): Example['response'] {
  const shown = ['svc-poll-after', 'retry-after', 'content-disposition'].flatMap((name) => {
    const value = sent.headers[name]
    const spelt = name.replace(/(^|-)([a-z])/g, (_, dash: string, first: string) => dash + first.toUpperCase())
    return value === undefined ? [] : [[spelt, value]]
  })
  const headers = present(Object.fromEntries(shown))
  const base = { status: sent.status, ...(headers && { headers }) }
  if (returns === null && api === 'v1') return base
  if (!isArtifact(returns)) {
    const body =
      api === 'v1'
        ? withoutSecrets(returns, shortened(sent.body))
        : { ...sent.body, data: withoutSecrets(returns, sent.body.data) }
    return { ...base, body }
  }
  const type = sent.headers['content-type'] ?? ''
  const typed = { ...base, headers: { 'Content-Type': type, ...headers } }
  if (!type.startsWith('text/csv'))
    return { ...typed, note: `A file of ${type.split(';')[0]}; its bytes are left out.` }
  return {
    ...typed,
    body: sent.text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .slice(0, 3)
      .join('\n'),
  }
}

export class Recorder {
  readonly examples = new Map<string, Example>()
  readonly world: World
  readonly #publisher = new Publisher()

  constructor(world: World) {
    this.world = world
  }

  /** Calls an operation, which has to succeed. The first call of each is its example. */
  async play(id: string, asked: Asked = {}): Promise<Sent> {
    const operation = BY_ID.get(id)
    if (!operation) throw new Error(`no operation is called ${id}`)
    const { params = {}, query = {}, body, key, session, operator, empresa } = asked
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `no-${name}`)
    const root = operation.api === 'bootstrap' ? '' : session ? '/dashboard' : '/v1'
    const search = new URLSearchParams(query).toString()
    const selects = empresa !== undefined && operation.reach === 'empresa' && !namesEmpresa(operation)
    const keyed = operation.idempotent === 'required'
    const sent = await this.world.call(operation.method, `${root}${path}${search && `?${search}`}`, {
      ...(key && { key }),
      ...(session && { session, mode: 'test' }),
      ...(selects && { empresa }),
      headers: {
        ...(operator && { 'svc-operator-secret': OPERATOR_SECRET }),
        ...(keyed && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body }),
    })
    if (sent.status !== operation.status) throw new Error(`${id} answered ${sent.status}: ${sent.text}`)
    if (this.examples.has(id)) return sent
    const headers = present({
      ...((key || session) && { Authorization: `Bearer ${key ?? session}` }),
      ...(operator && { 'Svc-Operator-Secret': '...' }),
      ...(selects && { 'Svc-Empresa': empresa }),
      ...(keyed && { 'Idempotency-Key': 'venta-1024' }),
    })
    const example: Example = {
      request: {
        ...(present(params) && { params }),
        ...(present(query) && { query }),
        ...(headers && { headers }),
        ...(body && { body: cutFiles(operation.body, shownBody(body)) }),
      },
      response: responseOf(operation, sent),
    }
    this.examples.set(id, this.#publisher.publish(id, example) as Example)
    return sent
  }

  /** Asks until it is so. */
  async until(id: string, asked: Asked, isSo: (body: Sent['body']) => boolean): Promise<Sent['body']> {
    let found: Sent['body']
    await this.world.until(async () => {
      const operation = BY_ID.get(id)
      const path = operation?.path.replace(/\{(\w+)\}/g, (_, name: string) => asked.params?.[name] ?? '') ?? ''
      const { key = '', empresa } = asked
      const selects = empresa !== undefined && operation?.reach === 'empresa' && !namesEmpresa(operation)
      found = (await this.world.get(`/v1${path}`, { key, ...(selects && { empresa }) })).body
      return isSo(found)
    })
    return found
  }

  /** Waits until a job has ended well. */
  job(key: string, job_id: string): Promise<Sent['body']> {
    return this.until('jobs.get', { key, params: { job_id } }, ({ status, failure }) => {
      if (status === 'failed') throw new Error(`${job_id} failed: ${JSON.stringify(failure)}`)
      return status === 'succeeded'
    })
  }
}
