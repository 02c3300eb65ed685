import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { asked } from './asked.ts'
import { openService } from './service.ts'

// An authenticated GET /v1/account against a bare route of the same framework that answers the same bytes.
const SECONDS = 5
const ROUNDS = 3
const CONNECTIONS = 32
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))

async function rate(port: number, path: string, bearer: string): Promise<number> {
  const args = ['--import', 'tsx', LOAD, String(port), String(SECONDS), String(CONNECTIONS), path, bearer]
  const { stdout } = await run(process.execPath, args)
  const { per_second, refused } = JSON.parse(stdout) as { per_second: number; refused: number }
  if (refused > 0) throw new Error(`${refused} requests were refused`)
  return per_second
}

const service = await openService({ runs_jobs: true })
const { port: ours, secret } = service
const answer = await (
  await fetch(`http://127.0.0.1:${ours}/v1/account`, { headers: { authorization: `Bearer ${secret}` } })
).json()
const bare = Fastify()
bare.get('/v1/account', async () => answer)
await bare.listen({ host: '127.0.0.1', port: 0 })
const theirs = (bare.server.address() as AddressInfo).port

const rates: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
for (let round = 0; round < ROUNDS; round++) {
  rates.bare.push(await rate(theirs, '/v1/account', secret))
  rates.ours.push(await rate(ours, '/v1/account', secret))
}
const best = (list: number[]) => Math.max(...list)
console.log(`GET /v1/account            ${best(rates.ours).toFixed(0)} /s`)
console.log(`bare Fastify route         ${best(rates.bare).toFixed(0)} /s`)
asked('GET /v1/account to a bare route', best(rates.ours) / best(rates.bare), { at_least: 0.5 })

await bare.close()
await service.close()
