import { readFileSync } from 'node:fs'
import { priceDraft } from '@timbre/dte/draft'
import { isRut } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { journal, types } from '../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../test/support/issuer.ts'
import { moveClock } from '../../../test/support/move-clock.ts'
import { until } from '../../../test/support/until.ts'
import { openWorld, type Sent, type World } from '../../../test/support/world.ts'
import { systemNow } from '../../kernel/clock.ts'
import { MAGIC, type Magic } from './document-magic-values.ts'

const GUIDE = readFileSync(new URL('../../../../../docs/guides/testing.md', import.meta.url), 'utf8')
const becomes = ({ verdict, refusal }: Magic) => (refusal ? 'failed' : (verdict?.outcome ?? 'accepted'))
const quick = MAGIC.filter(({ settles_after_ms }) => settles_after_ms === undefined)
const byTotal = ({ total }: Magic) => ({
  tipo_dte: 39,
  items: [{ description: 'Café', quantity: 1, unit_price: total }],
})
const byReceptor = ({ receptor_rut }: Magic) => ({ ...FACTURA, receptor: { ...RECEPTOR, rut: receptor_rut } })

let world: World
let issuer: Issuer
/** What an outage delays is everything in its envelope, so it has an empresa of its own. */
let apart: Issuer
/** What became of each, by the value that it carried. */
const ends = new Map<string, Sent['body']>()
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  apart = await openIssuer(world)
  const made: { name: string; own: Issuer; id: string }[] = []
  for (const magic of quick) {
    const own = magic.unreachable_times ? apart : issuer
    made.push({ name: `${magic.total}`, own, id: (await own.create(byTotal(magic))).body.id })
    made.push({ name: magic.receptor_rut, own, id: (await own.create(byReceptor(magic))).body.id })
  }
  // One look for all of them: a loop for each would keep the process busier than the documents do.
  await until('all to be settled', async () => {
    const open = await world.db.sql`select id from document where status in ('queued', 'sent')`
    return open.length === 0
  })
  for (const { name, own, id } of made) ends.set(name, (await own.get(`/v1/documents/${id}`)).body)
})
afterAll(() => world.close())

describe('the magic values of test mode', () => {
  it('are RUTs that check, each once, and totals each once', () => {
    expect(MAGIC.filter(({ receptor_rut }) => !isRut(receptor_rut))).toEqual([])
    expect(new Set(MAGIC.map(({ receptor_rut }) => receptor_rut)).size).toBe(MAGIC.length)
    expect(new Set(MAGIC.map(({ total }) => total)).size).toBe(MAGIC.length)
  })

  it.each(MAGIC)('$total can be the total of a factura with one item', ({ total }) => {
    const net = Math.round(total / 1.19)
    const emisor = { rut: '76543210-3', legal_name: 'Prueba' }
    const draft = { tipo_dte: 33, issue_date: '2026-10-05', emisor, receptor: RECEPTOR } as const
    expect(priceDraft({ ...draft, items: [{ description: 'Uno', unit_price: net }] }).totals.total).toBe(total)
  })

  it.each(MAGIC)('$total has its row in the guide', ({ total, receptor_rut, verdict, refusal }) => {
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${total} |`)) ?? ''
    expect(row).toContain(`| ${Math.round(total / 1.19)} | ${receptor_rut} |`)
    expect(row).toContain(verdict?.glosa ?? refusal?.message ?? 'accepted')
  })

  it.each(quick)('$total on an anonymous boleta: $happens', (magic) => {
    const { status, sii } = ends.get(`${magic.total}`)
    expect(status).toBe(becomes(magic))
    if (!magic.verdict) return
    expect(sii).toMatchObject({ estado: magic.verdict.estado, glosa: magic.verdict.glosa })
    // A reason that we know, not just that the SII refused.
    expect(sii.explanation.code).not.toMatch(/^sii_/)
  })

  it.each(quick)('$receptor_rut as the receptor of a factura: $happens', (magic) => {
    expect(ends.get(magic.receptor_rut).status).toBe(becomes(magic))
  })

  it('a slow settlement leaves the document sent while others that came later are accepted', async () => {
    const own = await openIssuer(world)
    // On a clock of its own: a busy machine takes longer than what is slow here.
    await moveClock(world, own.key, { frozen_time: new Date(systemNow() + 3_600_000).toISOString() })
    const slow = await own.create({ ...FACTURA, receptor: { ...RECEPTOR, rut: '77111115-7' } })
    const other = await own.create(FACTURA)
    await moveClock(world, own.key, { advance: 'PT5S' })
    const statusOf = async ({ body }: Sent) => (await own.get(`/v1/documents/${body.id}`)).body.status
    expect([await statusOf(slow), await statusOf(other)]).toEqual(['sent', 'accepted'])
    await moveClock(world, own.key, { advance: 'PT10S' })
    expect(await statusOf(slow)).toBe('accepted')
  })

  it('an outage leaves one folio, one signature and one submission behind', async () => {
    const { id } = ends.get('77111116-5')
    expect(types(await journal(apart, id))).toEqual([
      'document.folio_allocated',
      'document.signed',
      'document.submitted',
      'document.accepted',
    ])
  })
})
