import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type CpuByPart, cpuSince, readCpu } from './cpu-by-part.ts'

// One side of a duel: a service of the checkout it is told of, over a database of its own, that carries a load whenever it is asked to.

/** A load, and what came of it. */
export interface Order {
  /** As many as can be where it is absent. */
  readonly per_second?: number
  readonly seconds: number
}
export interface Outcome {
  readonly documents: number
  readonly per_second: number
  readonly cpu: CpuByPart
}

const [tree = ''] = process.argv.slice(2)
const load = (file: string) => import(pathToFileURL(join(tree, 'bench', file)).href)
const { openService } = (await load('service.ts')) as typeof import('./service.ts')
const { CROWD, openEmpresas, RUTS } = (await load('empresas.ts')) as typeof import('./empresas.ts')
const { FACTURA } = (await load('factura.ts')) as typeof import('./factura.ts')

const run = promisify(execFile)
const service = await openService({ runs_jobs: true })

async function post(order: Order & { readonly requests?: number; readonly empresas?: readonly string[] }) {
  const headers = { authorization: `Bearer ${service.secret}` }
  const connections = order.per_second === undefined ? 32 : 8
  const whole = {
    port: service.port,
    connections,
    path: '/v1/documents',
    headers,
    empresas: RUTS,
    body: FACTURA,
    ...order,
  }
  const { stdout } = await run(process.execPath, [
    '--import',
    'tsx',
    join(tree, 'bench/load-post.ts'),
    JSON.stringify(whole),
  ])
  const { answers, refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  for (;;) {
    const [open] = await service.db.sql<{ some: boolean }>`
      select exists (select from document where status <> 'accepted') as some`
    if (!open?.some) return answers as number
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

await openEmpresas(service)
await post({ seconds: 60, requests: 4_000 })
await openEmpresas(service, CROWD)
await post({ seconds: 20, per_second: 40, empresas: CROWD })
await service.db.sql`vacuum analyze`
process.send?.('ready')

process.on('message', async (order: Order | 'end') => {
  if (order === 'end') {
    await service.close()
    process.exit()
  }
  const [before, began] = [readCpu(0), performance.now()]
  const documents = await post(order)
  const seconds = (performance.now() - began) / 1000
  process.send?.({ documents, per_second: documents / seconds, cpu: cpuSince(before, readCpu(0)) } satisfies Outcome)
})
