// One run: rounds over every operation, with the doors in between, until its time or its requests are over.

import { HEADERS } from '../../src/catalog/headers.ts'
import { type OperationRoute, routesOf } from '../../src/http/routes.ts'
import { MCP_HEADERS } from '../support/agent-grant.ts'
import { checkAnswer } from '../support/check-contract.ts'
import { Draw } from './chance.ts'
import { type Client, type Message, openClient, type Received } from './client.ts'
import { agentCase, NOT_HTTP, oauthCase, pageCase, type Tool } from './doors.ts'
import { hostileMail } from './hostile-files.ts'
import type { Sizes } from './hostile-text.ts'
import { operationCase } from './operation-case.ts'
import { asData, converse, ODD_COMMANDS } from './smtp.ts'
import { FLOOR_CPU_MS, measure, type Tally } from './tally.ts'
import type { Target, Tenant } from './target.ts'

export interface RunOptions {
  readonly seed: number
  readonly sizes: Sizes
  /** Hostile requests to each operation in one round, beside a valid one. */
  readonly hostile: number
  /** By session one of so many operations is asked: it is the same operation, and the road to it the same for all. */
  readonly session_every: number
  /** Cases of each door in one round. */
  readonly doors: number
  /** Pages that take long to draw once and never again. */
  readonly draws_docs: boolean
  /** Whether another round is due. */
  readonly goesOn: () => boolean
}

const MAX_SHOWN = 250
/** Valid requests to an operation before it counts as not reached. */
const TRIES = 8

function shown({ method, path, headers, body }: Message): string {
  const { authorization: _, ...rest } = headers
  const text = body && JSON.stringify(body.subarray(0, MAX_SHOWN).toString('latin1'))
  return `${method} ${path.slice(0, MAX_SHOWN)} ${JSON.stringify(rest).slice(0, MAX_SHOWN)} ${text ?? ''}${body ? ` (${body.length} bytes)` : ''}`
}

/** What takes something away from under the others comes last in a round, and the next round has a tenant of its own. */
const LAST = [
  'empresas.update',
  'test_helpers.clock.set',
  'api_keys.roll',
  'account.logout',
  'account.close',
  'empresas.delete',
]

function orderOf({ operation }: OperationRoute): number {
  const at = LAST.indexOf(operation.id)
  if (at >= 0) return 2 + at
  return operation.method === 'DELETE' ? 1 : 0
}

export class FuzzRun {
  readonly #target: Target
  readonly #tally: Tally
  readonly #options: RunOptions
  readonly #draw: Draw
  readonly #client: Client

  constructor(target: Target, tally: Tally, options: RunOptions) {
    this.#target = target
    this.#tally = tally
    this.#options = options
    this.#draw = new Draw(options.seed)
    this.#client = openClient(target.port)
  }

  async run(): Promise<void> {
    const routes = routesOf(this.#target.operations)
      .filter(({ path }) => !path.startsWith('/v1/dashboard'))
      .sort((a, b) => orderOf(a) - orderOf(b))
    try {
      // The first round goes to its end, so that everything is reached.
      for (let first = true; first || this.#options.goesOn(); first = false) {
        const tenant = await this.#target.openTenant()
        await this.#doors(tenant)
        for (const [place, route] of routes.entries()) {
          if (route.api === 'dashboard' && place % this.#options.session_every > 0) continue
          if (first || this.#options.goesOn()) await this.#operation(route, tenant)
        }
      }
      await this.#jobs()
    } finally {
      this.#client.close()
    }
  }

  /** What was taken and broke later, where nobody waits for an answer. */
  async #jobs(): Promise<void> {
    const failed = await this.#target.world.db.sql<{ name: string; error: { code: string } }>`
      select name, error from job where error->>'code' = 'internal_error' limit 20`
    for (const { name, error } of failed) {
      const line = this.#target.world.log_lines.find((text) => text.includes('job failed') && text.includes(name))
      this.#tally.complain(`job ${name}`, JSON.stringify(error), line?.slice(0, 1_500) ?? '')
    }
  }

  /** Through /v1 and /account everything; sessions come another way to the same operations, a hostile request each. */
  async #operation(route: OperationRoute, tenant: Tenant): Promise<void> {
    const { id } = route.operation
    const isDashboard = route.api === 'dashboard'
    const before = this.#tally.reached.get(id)
    // What is drawn from a schema may still be refused by a rule that no schema says: another is drawn.
    for (let tries = 0; !isDashboard && tries < TRIES && this.#tally.reached.get(id) === before; tries++) {
      await this.#call(route, tenant, false)
    }
    const count = isDashboard ? 1 : this.#options.hostile
    for (let i = 0; i < count; i++) await this.#call(route, tenant, true)
  }

  async #call(route: OperationRoute, tenant: Tenant, hostile: boolean): Promise<void> {
    const { sizes } = this.#options
    const message = await operationCase(route, { draw: this.#draw.fork(), hostile, sizes, tenant })
    await this.#send(route.operation.id, message, (sent) => this.#holdsContract(route, message, sent))
  }

  /** Whether the operation declares this answer. One that it does not is a finding. */
  #holdsContract(
    { operation }: OperationRoute,
    { method, path }: Message,
    { status, headers, body }: Received,
  ): boolean {
    if (status >= 400 && body.length === 0) return false
    const text = body.toString('utf8')
    // Refused before it was read as a call of anything: its headers were too many bytes.
    if (text.startsWith('{"error":{"type":"invalid_request_error","code":"invalid_url"')) return false
    const json = (headers['content-type'] ?? '').startsWith('application/json')
    try {
      checkAnswer(this.#target.operations, method, path, { status, body: json && text ? JSON.parse(text) : null, text })
      return !/"(internal_error|service_unavailable)"/.test(text.slice(0, 1_000))
    } catch (error) {
      this.#tally.complain(operation.id, String(error).slice(0, 300), path.slice(0, 200))
      return false
    }
  }

  async #send(subject: string, message: Message, isDeclared: (sent: Received) => boolean = () => false): Promise<void> {
    const what = shown(message)
    try {
      const { value, ...first } = await measure(() => this.#client.send(message))
      // Whatever else the process or the machine did meanwhile is in it: what takes long by itself does so again.
      const again = first.cpu_ms > FLOOR_CPU_MS ? await measure(() => this.#client.send(message)) : first
      const cost = again.cpu_ms < first.cpu_ms ? { cpu_ms: again.cpu_ms, wall_ms: again.wall_ms } : first
      this.#tally.record(subject, what, cost, value.status)
      this.#tally.judge(subject, what + this.#logged(value), value, isDeclared(value))
    } catch (error) {
      this.#tally.complain(subject, String(error), what)
    }
  }

  /** What the log says of an answer that was our fault. */
  #logged({ status, headers }: Received): string {
    if (status < 500) return ''
    const id = headers[HEADERS.request_id.toLowerCase()] ?? 'no id'
    const line = this.#target.world.log_lines.find((text) => text.includes(id) && text.includes('"error"'))
    return line ? `\n  ${line.slice(0, 1_500)}` : ''
  }

  async #doors(tenant: Tenant): Promise<void> {
    const { doors, sizes, draws_docs } = this.#options
    const tools = await this.#tools(tenant)
    const pages = this.#target.pages.filter(
      ({ path, method }) => draws_docs || method === 'POST' || path.includes('{slug}'),
    )
    for (let i = 0; i < doors; i++) {
      const draw = this.#draw.fork()
      const page = pages[(i * 7 + draw.below(pages.length)) % pages.length]
      if (page) await this.#send(`page ${page.method ?? 'GET'} ${page.path}`, pageCase(page, draw, sizes))
      const oauth = oauthCase(draw, sizes)
      await this.#send(`${oauth.method} ${oauth.path.split(/[?]|(?<=consent)\//)[0]}`, oauth)
      await this.#send('POST /mcp', agentCase(tenant, tools, draw, sizes))
      await this.#raw(draw)
      await this.#mail(draw)
    }
  }

  async #tools({ token }: Tenant): Promise<readonly Tool[]> {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = { ...MCP_HEADERS, 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const body = Buffer.from(JSON.stringify(list))
    const sent = await this.#client.send({ method: 'POST', path: '/mcp?toolsets=tasks,all', headers, body })
    return (JSON.parse(sent.body.toString()) as { result: { tools: Tool[] } }).result.tools
  }

  async #raw(draw: Draw): Promise<void> {
    const bytes = draw.one(NOT_HTTP)
    const what = JSON.stringify(bytes.subarray(0, MAX_SHOWN).toString('latin1'))
    const { value, ...cost } = await measure(() => this.#client.sendRaw(bytes))
    this.#tally.record('bytes that are no HTTP', what, { ...cost, wall_ms: 0 }, value ?? 0)
    if (value !== null && value >= 500) this.#tally.complain('bytes that are no HTTP', String(value), what)
  }

  async #mail(draw: Draw): Promise<void> {
    const { smtp_port, mailbox } = this.#target
    const raw = hostileMail(draw, this.#options.sizes)
    const what = JSON.stringify(raw.subarray(0, MAX_SHOWN).toString('latin1'))
    const greet = ['EHLO x', `MAIL FROM:<s${draw.below(1_000)}@x.cl>`, `RCPT TO:<${mailbox}>`, 'DATA']
    const { value: codes, ...cost } = await measure(() => converse(smtp_port, [...greet, asData(raw)]))
    this.#tally.record('a mail', what, cost, codes.at(-1) ?? 0)
    const last = codes.at(-1)
    // A mail of dotted lines is cut off, and its sender may not hear why.
    const is_fine = last === 250 || (raw.subarray(0, 2).toString() === '..' && (last === 554 || last === null))
    if (!is_fine) this.#tally.complain('a mail', `answered ${codes.join(' ')}`, what)
    const odd = draw.one(ODD_COMMANDS)
    const told = await converse(smtp_port, ['EHLO x', odd])
    this.#tally.record('an SMTP command', odd.slice(0, 100), { wall_ms: 0, cpu_ms: 0 }, told.at(-1) ?? 0)
    if (told[0] !== 220 && told[0] !== 421) this.#tally.complain('an SMTP command', `greeted ${told[0]}`, odd)
  }
}
