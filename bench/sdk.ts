import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { build as buildPackages } from '../scripts/build.mjs'

// What the SDK weighs in a bundle, and what a call through it costs this process beside the same call by fetch alone, with
// its headers, its JSON and a key made for it. Another process answers, so that only the caller's processor time is counted.
const CALLS = 20
const ROUNDS = 200

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
  console.log(
    `sdk core, minified and gzipped (under 12 kB)         ${await kilobytes(`export { createClient } from ${from}`)}`,
  )
  const documents = `import { createClient, documents } from ${from}; export default createClient({}, { documents })`
  console.log(`  with documents alone                               ${await kilobytes(documents)}`)
  console.log(
    `  the check of webhooks alone                        ${await kilobytes(`export { verify } from ${from}`)}`,
  )
  console.log(
    `  every resource                                     ${await kilobytes(`export * from './packages/sdk/src/index.ts'`)}`,
  )
}

/** Processor microseconds of one call. */
async function cost(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < CALLS; i++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

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
  // Many short rounds in turn, and the quicker quarter of each: what else the machine does only ever adds to it.
  const spent = { bare: [] as number[], sdk: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? (['bare', 'sdk'] as const) : (['sdk', 'bare'] as const)
    for (const which of order) spent[which].push(await cost({ bare, sdk }[which]))
  }
  const quick = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN
  const [plain, ours] = [quick(spent.bare), quick(spent.sdk)]
  console.log(`sdk processor time beyond a call by fetch (10 %)     ${((ours / plain - 1) * 100).toFixed(1)} %`)
  console.log(`  the caller's side of a call by fetch alone         ${plain.toFixed(0)} µs`)
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
