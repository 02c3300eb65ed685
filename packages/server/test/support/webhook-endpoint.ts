// An account with a webhook endpoint at a receiver of its own.

import { expect } from 'vitest'
import type { Mode } from '../../src/catalog/modes.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { moveClock } from './move-clock.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'
import { randomRut, type World } from './world.ts'

const ENDPOINTS = '/v1/webhook_endpoints'
/** What will be so before long. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read)

/** What a delivery looks like to whoever reads it. */
export interface Shown {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly [field: string]: unknown
}

/** An account with an endpoint at a receiver of its own, for tests of what is delivered. */
export interface Hook {
  readonly account: string
  readonly key: string
  readonly receiver: Receiver
  readonly id: string
  readonly secret: string
  readonly path: string
  /** Makes an event, by making an empresa. Gives its RUT. */
  happen(): Promise<string>
  deliveries(query?: string): Promise<Shown[]>
  delivery(id: string): Promise<Shown & { attempt_log: Record<string, unknown>[] }>
  /** Deliveries once none of them waits, newest first. */
  settled(): Promise<Shown[]>
  /** Moves the test clock; every timer on the way fires first. */
  advance(duration: string): Promise<void>
  close(): Promise<void>
}

export interface HookOptions {
  readonly account?: string
  readonly mode?: Mode
  readonly body?: object
  readonly answers?: Parameters<typeof openReceiver>[0]
  /** The clock of the account stands still: nothing is tried again until a test moves it. */
  readonly frozen?: boolean
}

export async function openHook(world: World, options: HookOptions = {}): Promise<Hook> {
  const account = options.account ?? (await world.account())
  const key = await world.key(account, { mode: options.mode ?? 'test' })
  if (options.frozen) {
    // Far enough ahead that no machine takes so long to ask for it: a clock that was passed already does not stop.
    await moveClock(world, key, { frozen_time: new Date(systemNow() + 3_600_000).toISOString() })
  }
  const receiver = await openReceiver(options.answers ?? 200)
  const made = await world.post(ENDPOINTS, { key, body: { url: receiver.url, ...options.body } })
  if (made.status !== 201) throw new Error(`no endpoint: ${made.text}`)
  const { id, secret } = made.body
  const path = `${ENDPOINTS}/${id}`
  const deliveries = async (query = '') => (await world.get(`${path}/deliveries${query}`, { key })).body.data as Shown[]
  return {
    account,
    key,
    receiver,
    id,
    secret,
    path,
    async happen() {
      const rut = randomRut()
      const sent = await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Ñandú Ltda' } })
      if (sent.status !== 201) throw new Error(`nothing happened: ${sent.text}`)
      return rut
    },
    deliveries,
    delivery: async (delivery_id) => (await world.get(`${path}/deliveries/${delivery_id}`, { key })).body,
    async settled() {
      let all: Shown[] = []
      await world.until(async () => {
        all = await deliveries('?limit=100')
        return all.length > 0 && all.every(({ status }) => status !== 'pending')
      })
      return all
    },
    async advance(duration) {
      await moveClock(world, key, { advance: duration })
    },
    close: () => receiver.close(),
  }
}
