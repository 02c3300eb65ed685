import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { build as buildPackages } from '../scripts/build.mjs'
import { asked } from './asked.ts'

// What the SDK weighs in a bundle, and what a call through it costs this process beside the same call by fetch alone, with
// its headers, its JSON and a key made for it. Another process answers, so that only the caller's processor time is counted.
// The two ways take turns of a few calls, so short that most of them see nothing of whatever else the machine does. Told are
// the median of what a turn costs beside its neighbour, how far the medians of many stretches lie apart, and the sums.
const CALLS = 2
const TURNS_OF_A_STRETCH = 60
const STRETCHES = 40

const document = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: [
    { description: 'Resma de papel carta', quantity: 2, unit_price: 2500 },
    { description: 'Lápiz grafito', quantity: 12, unit_price: 190.5 },
  ],
} as const

/** Answers as the service does: a document, with the headers that an answer has. */
function serve(): void {
  const examples = JSON.parse(readFileSync(new URL('../openapi/examples.json', import.meta.url), 'utf8'))
  const answer = JSON.stringify(examples['documents.create'].response.body)
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(201, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(answer),
        'Svc-Request-Id': 'req_0000000000000000',
        'RateLimit-Limit': '300',
        'RateLimit-Remaining': '299',
        'RateLimit-Reset': '60',
        'Svc-Poll-After': '1',
      })
      response.end(answer)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function gzipped(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: fileURLToPath(new URL('..', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    conditions: ['source'],
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

async function weigh(): Promise<void> {
  const from = `'./packages/sdk/src/core.ts'`
  const kilobytes = async (code: string) => `${((await gzipped(code)) / 1000).toFixed(1)} kB`
  const core = (await gzipped(`export { createClient } from ${from}`)) / 1000
  asked('sdk core, minified and gzipped', core, { below: 12 }, { unit: ' kB', digits: 1 })
  const documents = `import { createClient, documents } from ${from}; export default createClient({}, { documents })`
  console.log(`  with documents alone                               ${await kilobytes(documents)}`)
  console.log(
    `  the check of webhooks alone                        ${await kilobytes(`export { verify } from ${from}`)}`,
  )
  console.log(
    `  every resource                                     ${await kilobytes(`export * from './packages/sdk/src/index.ts'`)}`,
  )
}

/** Processor microseconds of a few calls. */
async function cost(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < CALLS; i++) await call()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

type Way = () => Promise<unknown>

interface Spent {
  readonly bare: number
  readonly sdk: number
}

/** Processor microseconds of both ways, turn by turn; who begins changes with each. */
async function stretch(bare: Way, sdk: Way): Promise<Spent[]> {
  const turns: Spent[] = []
  for (let turn = 0; turn < TURNS_OF_A_STRETCH; turn++) {
    if (turn % 2 === 0) turns.push({ bare: await cost(bare), sdk: await cost(sdk) })
    else turns.push({ sdk: await cost(sdk), bare: await cost(bare) })
  }
  return turns
}

/** The value below which this share of them lies. */
function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

const medianRatio = (turns: readonly Spent[]) =>
  quantile(
    turns.map(({ bare, sdk }) => sdk / bare),
    0.5,
  )

async function compare(port: number): Promise<void> {
  const [key, empresa, baseUrl] = ['sk_test_0123456789abcdef', '76192083-9', `http://127.0.0.1:${port}`]
  // As it ships: what compiles a test on the fly adds calls of its own.
  const { Timbre } = await import('../packages/sdk/dist/index.js' as string)
  const timbre = new Timbre({ key, empresa, baseUrl })
  const bare = async () => {
    const answer = await fetch(`${baseUrl}/v1/documents`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Svc-Empresa': empresa,
        'Idempotency-Key': crypto.randomUUID(),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(document),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  const sdk = () => timbre.documents.create(document)
  // The first ones compile what all others run.
  for (let i = 0; i < 5; i++) await stretch(bare, sdk)
  const stretches: Spent[][] = []
  for (let i = 0; i < STRETCHES; i++) stretches.push(await stretch(bare, sdk))
  const turns = stretches.flat()
  const medians = stretches.map(medianRatio)
  const sum = (way: keyof Spent) => turns.reduce((total, spent) => total + spent[way], 0)
  const beyond = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`
  const calls = turns.length * CALLS
  const more = (medianRatio(turns) - 1) * 100
  asked('sdk processor time beyond a call by fetch', more, { at_most: 10 }, { unit: ' %', digits: 1 })
  console.log(
    `  half of ${STRETCHES} stretches lie between                    ${beyond(quantile(medians, 0.25))} and ${beyond(quantile(medians, 0.75))}`,
  )
  console.log(`  by the sums of ${calls} calls each way                ${beyond(sum('sdk') / sum('bare'))}`)
  console.log(`  the caller's side of a call by fetch alone         ${(sum('bare') / calls).toFixed(0)} µs`)
}

if (process.argv.includes('--serve')) serve()
else {
  buildPackages()
  await weigh()
  const service = fork(fileURLToPath(import.meta.url), ['--serve'])
  const port = await new Promise<number>((resolve) => service.once('message', (said) => resolve(Number(said))))
  await compare(port)
  service.kill()
}
