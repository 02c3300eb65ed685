import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf } from './call.ts'
import { FACTURA } from './factura.ts'
import type { Service } from './service.ts'

const PAUSE_MS = 20
const LOOK_MS = 10

type Address = Pick<Service, 'port' | 'secret' | 'rut'>

/** Posts one factura; milliseconds until the answer, and its id. */
function posterOf(address: Address) {
  const call = callerOf(address)
  const own = { authorization: `Bearer ${address.secret}`, 'svc-empresa': address.rut }
  const body = JSON.parse(FACTURA) as object
  return async () => {
    const headers = { ...own, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const { ms, text } = await call('POST', '/v1/documents', body, headers)
    return { ms, id: (JSON.parse(text) as { id: string }).id }
  }
}

/** The least that so large a share of them is within. */
const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

/** Milliseconds until half of the answers have come, of routes that take turns, one request at a time and a pause after each. */
export async function medianAnswers(addresses: readonly Address[], requests: number): Promise<number[]> {
  const posters = addresses.map(posterOf)
  const taken = posters.map((): number[] => [])
  for (let i = 0; i < requests; i++) {
    for (const [place, post] of posters.entries()) {
      taken[place]?.push((await post()).ms)
      await sleep(PAUSE_MS)
    }
  }
  return taken.map((values) => quantile(values, 0.5))
}

/** Milliseconds from POST to accepted within which 99 of 100 documents are, one after the other. */
export async function acceptedWithin(service: Service, documents: number): Promise<number> {
  const post = posterOf(service)
  const waits: number[] = []
  for (let i = 0; i < documents; i++) {
    const began = performance.now()
    const { id } = await post()
    const accepted = async () => {
      const [row] = await service.db.sql<{ status: string }>`
        select status from document where account_id = ${service.account_id} and id = ${id}`
      return row?.status === 'accepted'
    }
    while (!(await accepted())) await sleep(LOOK_MS)
    waits.push(performance.now() - began)
  }
  return quantile(waits, 0.99)
}
