import { priceDraft } from '@timbre/dte/draft'
import { isRut } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../test/issuer.ts'
import { issue, types } from '../../test/pipeline.ts'
import { openWorld, type Sent, type World } from '../../test/world.ts'
import { MAGIC, type Magic } from './sandbox.ts'

const becomes = ({ verdict, refusal }: Magic) => (refusal ? 'failed' : (verdict?.outcome ?? 'accepted'))
const quick = MAGIC.filter(({ settles_after_ms }) => settles_after_ms === undefined)
const byTotal = ({ total }: Magic) => ({
  tipo_dte: 39,
  items: [{ description: 'Café', quantity: 1, unit_price: total }],
})
const byReceptor = ({ receptor_rut }: Magic) => ({ ...FACTURA, receptor: { ...RECEPTOR, rut: receptor_rut } })

let world: World
let issuer: Issuer
const ends = new Map<string, Promise<Sent>>()
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  // What an outage delays is everything in its envelope, so it has an empresa of its own.
  const apart = await openIssuer(world)
  for (const magic of quick) {
    const own = magic.unreachable_times ? apart : issuer
    ends.set(`${magic.total}`, issue(own, byTotal(magic)))
    ends.set(magic.receptor_rut, issue(own, byReceptor(magic)))
  }
  await Promise.all(ends.values())
})
afterAll(() => world.close())

async function endOf(name: string | number): Promise<Sent['body']> {
  return (await ends.get(`${name}`))?.body
}

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

  it.each(quick)('$total on an anonymous boleta: $happens', async (magic) => {
    const { status, sii } = await endOf(magic.total)
    expect(status).toBe(becomes(magic))
    if (!magic.verdict) return
    expect(sii).toMatchObject({ estado: magic.verdict.estado, glosa: magic.verdict.glosa })
    // A reason that we know, not just that the SII refused.
    expect(sii.explanation.code).not.toMatch(/^sii_/)
  })

  it.each(quick)('$receptor_rut as the receptor of a factura: $happens', async (magic) => {
    expect((await endOf(magic.receptor_rut)).status).toBe(becomes(magic))
  })

  it('a slow settlement leaves the document sent while others that came later are accepted', async () => {
    const slow = await issuer.create({ ...FACTURA, receptor: { ...RECEPTOR, rut: '77111115-7' } })
    await issue(issuer, FACTURA, ['accepted'])
    expect((await issuer.get(`/v1/documents/${slow.body.id}`)).body.status).toBe('sent')
  })

  it('an outage leaves one folio, one signature and one submission behind', async () => {
    const { id } = await endOf('77111116-5')
    const lines = await world.db.sql<{ type: string }>`
      select type from document_journal where document_id = ${id} order by seq`
    expect(types(lines)).toEqual([
      'document.folio_allocated',
      'document.signed',
      'document.submitted',
      'document.accepted',
    ])
  })
})
