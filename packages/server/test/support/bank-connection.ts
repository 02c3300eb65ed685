// An empresa that connects banks, and the pages on which a person links one.

import { expect } from 'vitest'
import { connectRoutes as connectRoutesOf } from '../../src/http/page-routes/connect.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { moveClock } from './move-clock.ts'
import { ended } from './rcv-register.ts'
import type { Sent, World, WorldOptions } from './world.ts'

/** The pages where a person links a bank, for a world that needs them. */
export const connectRoutes: NonNullable<WorldOptions['plain']> = (db, parts) =>
  connectRoutesOf({ sql: db.sql, ...parts })

/** An empresa that connects banks. */
export interface Banked extends Issuer {
  connect(body?: object): Promise<Sent>
  /** A connection that a person linked, once its first reading ended. */
  linked(bank?: string): Promise<string>
  exchange(id: string, exchange_token?: string): Promise<Sent>
  show(id: string): Promise<Sent>
  /** Asks for a reading and waits until it ended. Gives the job. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  sync(id: string): Promise<any>
  remove(id: string): Promise<Sent>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  events(type?: string): Promise<any[]>
  advance(duration: string): Promise<void>
}

/** The reading that follows a linking by itself. */
async function firstReading(world: World, own: Issuer, id: string): Promise<void> {
  const [row] = await world.db.sql<{ sync_job_id: string }>`select sync_job_id from connection where id = ${id}`
  await ended(world, own, row?.sync_job_id ?? '')
}

export async function openBanked(world: World, options: Parameters<typeof openIssuer>[1] = {}): Promise<Banked> {
  const own = await openIssuer(world, options)
  const { key, rut: empresa } = own
  const watcher = await world.key(own.account, { scopes: ['webhooks:read'], mode: options.mode ?? 'test' })
  const exchange = (id: string, exchange_token = 'sandbox_banco_prueba') =>
    own.post(`/v1/connections/${id}/exchange`, { exchange_token })
  return {
    ...own,
    exchange,
    connect: (body = {}) => own.post('/v1/connections', { holder_type: 'business', ...body }),
    show: (id) => own.get(`/v1/connections/${id}`),
    remove: (id) => world.delete(`/v1/connections/${id}`, { key, empresa }),
    async linked(bank = 'banco_prueba') {
      const { body } = await own.post('/v1/connections', { holder_type: 'business' })
      expect((await exchange(body.id, `sandbox_${bank}`)).status).toBe(200)
      await firstReading(world, own, body.id)
      return body.id
    },
    async sync(id) {
      const asked = await own.post(`/v1/connections/${id}/sync`)
      expect(asked.status).toBe(202)
      return ended(world, own, asked.body.id)
    },
    async events(type = 'connection.*') {
      const { body } = await world.get('/v1/events?limit=100', { key: watcher })
      const wanted = (event: { type: string }) =>
        event.type === type || (type === 'connection.*' && event.type.startsWith('connection.'))
      return body.data.filter(wanted).reverse()
    },
    async advance(duration) {
      await moveClock(world, key, { advance: duration })
    },
  }
}
