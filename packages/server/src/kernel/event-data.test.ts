import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import type { EventType } from '../catalog/events.ts'
import { openEventData, packEventData } from './event-data.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

interface Stored {
  readonly id: string
  readonly type: string
  readonly size: number
  readonly is_packed: boolean
}

const stored = (which: string) => world.db.sql<Stored>`
  select id, type, coalesce(length(packed), length(data::text)) as size, packed is not null as is_packed from event
  where account_id = ${issuer.account} and type like ${which} order by position, seq`

describe('what an event carries', () => {
  it.each([
    ['a factura', FACTURA],
    ['a boleta', BOLETA],
  ])('rests in a quarter of its bytes where it is %s, and is answered whole', async (_, body) => {
    const { body: document } = await issue(issuer, body)
    const page = await world.get('/v1/events?limit=3', { key: issuer.key })
    const last = (await stored('document.%')).slice(-3)
    for (const { id, type, size, is_packed } of last) {
      const { text, body: event } = await world.get(`/v1/events/${id}`, { key: issuer.key })
      expect([is_packed, event.type, event.data.object.id]).toEqual([true, type, document.id])
      expect(size).toBeLessThan(JSON.stringify(event.data).length / 4)
      expect(page.text).toContain(text)
    }
  })

  it.each<[string, EventType, boolean]>([
    ['of an object that has no base', 'ping', true],
    ['of no empresa, whose readers PostgreSQL tells by what it carries', 'document.created', false],
  ])('is left as it is %s', (_, type, of_empresa) => {
    expect(packEventData(type, of_empresa, '{"object":{}}')).toEqual({
      data: '{"object":{}}',
      packed: null,
      base_id: null,
    })
  })

  it.each(['{"object":{}}', `{"object":{"note":"${'ñandú 🦙 '.repeat(400)}"}}`])(
    'comes back character for character, whatever it is',
    async (json) => {
      const row = packEventData('document.created', true, json)
      expect(row.data).toBeNull()
      expect(await openEventData(world.db.sql, [row])).toEqual([json])
    },
  )

  it('is an error and never other words where its base is unknown', async () => {
    const row = { ...packEventData('document.created', true, '{}'), base_id: 99 }
    await expect(openEventData(world.db.sql, [row])).rejects.toThrow('missing')
  })

  it('rests against a base that nobody changes or deletes', async () => {
    await expect(world.db.sql`update text_base set bytes = ''`).rejects.toThrow('append only')
    await expect(world.db.sql`delete from text_base`).rejects.toThrow('append only')
  })

  it('is there in one of its two forms', async () => {
    const insert = world.db.sql`
      insert into event (id, account_id, mode, type, created_at)
      select id || 'x', account_id, mode, type, created_at from event where account_id = ${issuer.account} limit 1`
    await expect(insert).rejects.toThrow('event_has_data')
  })
})
