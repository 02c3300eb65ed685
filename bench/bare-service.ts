import { sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type { Service } from './service.ts'
import { SIGNED, STAMPED, sandboxSizedKeys } from './signatures.ts'

/** How long the sandbox takes to decide. */
const SETTLES_MS = 1_000
/** As many bytes as a document keeps of its XML. */
const XML_BYTES = 1_500

export interface BareService {
  readonly port: number
  /** Until every document it was sent is settled. */
  untilSettled(): Promise<void>
  close(): Promise<void>
}

/**
 * The least that a service could do for a document and lose none: a route that keeps what was sent, the two signatures, and a durable
 * row of its own for each of the four acts that a document is (created, signed, sent, settled). No tenants, no keys, no events, no jobs,
 * no folios. What it costs at some pace is the machine's price of waking up so often, which ours pays too.
 */
export async function openBareService({ db }: Pick<Service, 'db'>): Promise<BareService> {
  await db.sql`create table bare_act (id bigint generated always as identity primary key, words text not null)`
  const keep = (words: string) => db.steady.sql`insert into bare_act (words) values (${words})`
  const { stamp, signer } = sandboxSizedKeys()
  const xml = 'x'.repeat(XML_BYTES)
  const open = new Set<Promise<void>>()

  async function settle(words: string): Promise<void> {
    sign('RSA-SHA1', STAMPED, stamp)
    sign('RSA-SHA1', SIGNED, signer)
    await keep(xml)
    await keep(words)
    await sleep(SETTLES_MS)
    await keep(words)
  }

  const bare = Fastify()
  bare.post('/v1/documents', async (request, reply) => {
    const words = JSON.stringify(request.body)
    await keep(words)
    const settling = settle(words).finally(() => open.delete(settling))
    open.add(settling)
    return reply.code(201).send(request.body)
  })
  await bare.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: (bare.server.address() as AddressInfo).port,
    async untilSettled() {
      while (open.size > 0) await Promise.all(open)
    },
    async close() {
      await bare.close()
      await db.sql`drop table bare_act`
    },
  }
}
