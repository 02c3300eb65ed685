// Every example of the reference is run as it is written, in every language. What it sends must be what was recorded, and
// `examples.test.ts` sees to it that what was recorded is what the service takes and answers.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../src/domain/operation.ts'
import { type Example, type Examples, recordedExamples } from '../src/domain/recorded-examples.ts'
import { OPERATIONS } from '../src/operations.ts'
import { samplesOf, type Tongue } from '../src/pages/samples/sample-part.ts'
import { IN_FULL } from './support/in-full.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const LONGEST_OUTPUT = 64 * 1024 * 1024

const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )
const HAS = { curl: await has('curl'), python: await has('python3') }
for (const [name, is_there] of Object.entries(HAS))
  if (!is_there) console.warn(`skipped the examples in ${name}: it is not installed`)

/** A request as it arrived. */
interface Arrived {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

const ENVIRONMENT = {
  TIMBRE_KEY: 'sk_test_of_nobody',
  TIMBRE_SESSION: 'session_of_nobody',
  TIMBRE_EMPRESA: '76192083-9',
  TIMBRE_OPERATOR_SECRET: 'secret_of_nobody',
}

let arrived: Arrived[] = []
let server: Server
let examples: Examples
let folder: string
let public_url: string
beforeAll(async () => {
  examples = recordedExamples()
  folder = mkdtempSync(join(tmpdir(), 'timbre-samples-'))
  // Plays the service: it answers each call as it was recorded, so that a sample reads what it would read.
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const body = text === '' ? undefined : JSON.parse(text)
    const { method = '', headers } = request
    arrived.push({ method, path: pathname, query: Object.fromEntries(searchParams), headers, body })
    const found = OPERATIONS.find((operation) => operation.method === method && expectedPath(operation) === pathname)
    const { status = 404, body: answer } = (found && examples[found.id]?.response) ?? {}
    const is_text = typeof answer === 'string' || answer === undefined
    response.writeHead(status, { 'content-type': is_text ? 'application/octet-stream' : 'application/json' })
    // A list of one page: what comes after it was not recorded.
    const last = is_text
      ? answer
      : { ...(answer as object), ...(hasMore(answer) && { has_more: false, next_cursor: null }) }
    response.end(is_text ? (answer ?? '') : JSON.stringify(last))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  public_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const hasMore = (answer: unknown) => (answer as { has_more?: boolean } | null)?.has_more === true

function expectedPath(operation: Operation): string {
  const params = examples[operation.id]?.request.params ?? {}
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return operation.api === 'v1' ? `/v1${path}` : path
}

const written = () => OPERATIONS.flatMap((operation) => (examples[operation.id] ? [operation] : []))
const sampleOf = (operation: Operation, tongue: Tongue) => {
  const addresses = { public_url, base_url: `${public_url}/v1` } as never
  return samplesOf(operation, examples[operation.id] as Example, addresses)[tongue]
}

/** What arrived of an operation is what was recorded: the same call, by the credential that it needs. */
function expectRecorded(operations: readonly Operation[], with_keys: boolean): void {
  expect(arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(
    operations.map((operation) => `${operation.method} ${expectedPath(operation)}`),
  )
  for (const [place, operation] of operations.entries()) {
    const { request } = examples[operation.id] as Example
    const { query, headers, body } = arrived[place] as Arrived
    expect([operation.id, query, body]).toEqual([operation.id, request.query ?? {}, request.body])
    const by_key = operation.reach === 'account' || operation.reach === 'empresa'
    if (by_key) expect([operation.id, headers.authorization]).toEqual([operation.id, 'Bearer sk_test_of_nobody'])
    if (operation.reach === 'account') expect([operation.id, headers['svc-empresa']]).toEqual([operation.id, undefined])
    const names_none = operation.reach === 'empresa' && !operation.path.includes('{empresa_id}')
    if (names_none) expect([operation.id, headers['svc-empresa']]).toEqual([operation.id, '76192083-9'])
    if (with_keys && operation.idempotent === 'required') expect(headers['idempotency-key']).toBeTruthy()
  }
}

async function runAll(tongue: Tongue, program: string, script: string, more: readonly string[] = []): Promise<void> {
  arrived = []
  const file = join(folder, `samples.${tongue}`)
  writeFileSync(file, script)
  const env = { ...process.env, ...ENVIRONMENT, TIMBRE_URL: public_url }
  await run(program, [...more, file], { cwd: folder, env, maxBuffer: LONGEST_OUTPUT })
}

describe('the examples of the reference', () => {
  it('are there for every operation', () => {
    expect(written()).toHaveLength(OPERATIONS.length)
  })

  it.runIf(HAS.curl && IN_FULL)('in curl send what was recorded', async () => {
    const operations = written()
    const script = operations.map((operation) => sampleOf(operation, 'curl').replace(/^curl /, 'curl -sS ')).join('\n')
    await runAll('curl', 'bash', `set -eu\n${script}\n`)
    expectRecorded(operations, true)
  })

  it.runIf(HAS.python && IN_FULL)('in Python send what was recorded, with nothing to install', async () => {
    const operations = written()
    // One process for all of them: each is compiled and run by itself, as a file of its own would be.
    const texts = JSON.stringify(operations.map((operation) => sampleOf(operation, 'python')))
    const script = `import json\nfor text in json.loads(${JSON.stringify(texts)}):\n    exec(compile(text, "sample", "exec"), {})\n`
    await runAll('python', 'python3', script)
    expectRecorded(operations, true)
  })

  it.runIf(IN_FULL)('in TypeScript are correct to the compiler, and send what was recorded', async () => {
    const operations = written()
    const parts = operations.map((operation) => sampleOf(operation, 'typescript').replace(/^import .*\n+/gm, ''))
    const body = parts.map((text) => `{\n${text.replace('console.log', 'void ')}\n}`).join('\n')
    const script = `import { writeFile } from 'node:fs/promises'\nimport { Timbre } from '@timbre/sdk'\n${body}\n`
    const file = fileURLToPath(new URL(`./samples-${process.pid}.mts`, import.meta.url))
    writeFileSync(file, script)
    try {
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--types',
        'node',
        '--skipLibCheck',
      ]
      const said = await run(process.execPath, [tsc, ...options, '--ignoreConfig', file], { cwd: ROOT }).then(
        () => '',
        (error: { stdout?: string }) => error.stdout ?? String(error),
      )
      expect(said).toBe('')
      arrived = []
      const env = { ...process.env, ...ENVIRONMENT, TIMBRE_URL: public_url }
      const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs')
      await run(process.execPath, [tsx, file], { cwd: folder, env, maxBuffer: LONGEST_OUTPUT })
    } finally {
      rmSync(file, { force: true })
    }
    expectRecorded(operations, true)
  })
})
