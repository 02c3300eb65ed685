import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BOLETA, FACTURA } from '../support/issuer.ts'
import { between, type Chance } from './chance.ts'
import type { Client } from './client.ts'
import type { Work } from './ledger.ts'

export interface Posting {
  readonly client: Client
  /** Which of the client's addresses it knocks at first. */
  readonly door: number
  readonly bearer: string
  readonly empresas: readonly string[]
  readonly chance: Chance
  /** Milliseconds between documents, from and to. */
  readonly pace: readonly [number, number]
  readonly most: number
}

const REST_MS = 20

/** Issues one document after another until told to stop. What it began it sees through: nothing is left open. */
export async function post(posting: Posting, work: Work): Promise<void> {
  const { client, door, bearer, empresas, chance, pace, most } = posting
  for (let made = 0; made < most && !work.stop; ) {
    if (work.ledger.length >= work.allowed) {
      await sleep(REST_MS)
      continue
    }
    made++
    const body = chance() < 0.5 ? FACTURA : BOLETA
    const empresa = empresas[Math.floor(chance() * empresas.length)] ?? ''
    const idempotency_key = randomUUID()
    const ask = { method: 'POST', path: '/v1/documents', bearer, empresa, idempotency_key, body } as const
    const { headers, bytes, body: document, sent_at, answered_at } = await client.ask(ask, door)
    work.ledger.push({
      idempotency_key,
      empresa,
      tipo_dte: body.tipo_dte,
      body,
      document_id: document.id,
      answer: bytes.toString('utf8'),
      replayed: headers.get('svc-idempotent-replay') === 'true',
      bearer,
      sent_at,
      answered_at,
    })
    await sleep(between(chance, ...pace))
  }
}
