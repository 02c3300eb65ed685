import { type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import { livePortal } from '../../../adapters/sii/portal.ts'
import { dropOrder, openOrder, recordSigned } from '../../../adapters/sii/portal-orders.ts'
import type { SiiUnreachable } from '../../../ports/sii.ts'
import type { PortalOrder, SiiPortal } from '../../../ports/sii-portal.ts'

const CENTRAL = 'clave del certificado central'
const RECEPTOR = {
  rut: '77123456-9',
  legal_name: 'Compañía Ñandú & Hijos',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
}
const factura = (unit_price: number) => ({
  tipo_dte: 33,
  receptor: RECEPTOR,
  items: [{ description: 'Asesoría', quantity: 2, unit_price }],
})

let live: LiveWorld
let empresa: LiveEmpresa
let holder: string
const credential = (password: string) =>
  live.world.post(`/v1/empresas/${empresa.id}/sfg_credential`, { key: empresa.key, body: { rut: holder, password } })

beforeAll(async () => {
  live = await openLiveWorld()
  const body = { emission_channel: 'sfg', origen: 'gratuito', doc_types: [33, 52, 61] }
  empresa = await live.empresa({ body })
  holder = (await empresa.get(`/empresas/${empresa.id}/certificate`)).body.holder.rut
  const users = [{ rut: holder }]
  await live.simulator.control('POST', '/control/taxpayers', { rut: empresa.rut, sfg: true, users })
  await live.simulator.control('POST', '/control/taxpayers', { rut: holder, clave_centralizado: CENTRAL })
  expect((await credential(CENTRAL)).status).toBe(201)
})
afterAll(() => live.close())
beforeEach(() => live.simulator.clearScripts())

const held = () => live.simulator.documentsOf(empresa.rut)
/** How often a page of the portal was asked for. */
async function asked(program: string): Promise<number> {
  const { data } = await live.simulator.control('GET', '/control/calls?limit=1000')
  return data.filter(({ path }: { path: string }) => path.includes(program)).length
}
const SEND = { door: 'sfg', match: 'mipeSendXML.cgi' }

/** The portal over a client that says what a test has it say. */
const portalOver = (client: object) =>
  livePortal({
    sql: live.world.db.sql,
    ambiente: 'produccion',
    client: client as SiiClient,
    identityOf: async () => ({ rut: holder }) as Identity,
    sfgCredentialOf: async () => ({ rut: holder, password: CENTRAL }),
    tellProven: async () => undefined,
  })

describe('a live empresa on the free portal', () => {
  it('issues with the folio and the signature of the SII: no CAF, no track id, sent and then accepted', async () => {
    const id = await empresa.issue(factura(1_000))
    await live.run()
    const [one] = await held()
    const document = await empresa.document(id)
    expect(document).toMatchObject({ status: 'accepted', folio: one?.folio, sii: { track_id: null } })
    expect(document.sii.glosa).toBe('Documento Emitido')
    const xml = Buffer.from((await empresa.get(`/documents/${id}/xml`)).bytes).toString('latin1')
    expect(xml).toContain(`<Documento ID="F${one?.folio}T33">`)
    expect(xml).toContain('Ñandú &amp; Hijos')
    const journal = (await empresa.get(`/documents/${id}/events`)).body.data
    expect(journal.map(({ type }: { type: string }) => type)).toEqual([
      'document.folio_allocated',
      'document.signed',
      'document.submitted',
      'document.accepted',
    ])
  })

  it('issues a guía, and a nota after the factura that it annuls, which ends annulled', async () => {
    const guia = await empresa.issue({ ...factura(2_000), tipo_dte: 52, dispatch: { transfer_type: 1 } })
    const original = await empresa.issue(factura(2_100))
    await live.run()
    const nota = await empresa.issue({
      ...factura(2_100),
      tipo_dte: 61,
      references: [{ document_id: original, code: 1, reason: 'Anula' }],
    })
    await live.advance(600)
    const statuses = await Promise.all([guia, original, nota].map(async (id) => (await empresa.document(id)).status))
    expect(statuses).toEqual(['accepted', 'annulled', 'accepted'])
  })

  it('whose answer was lost after the SII issued it is found by its folio, and never issued twice', async () => {
    const [before, sends] = [(await held()).length, await asked('mipeSendXML.cgi')]
    await live.simulator.script({ ...SEND, kind: 'reset_before_answer' })
    const id = await empresa.issue(factura(3_000))
    await live.advance(30)
    const issued = (await held()).find(({ monto }) => monto === 7_140)
    expect(await empresa.document(id)).toMatchObject({ status: 'accepted', folio: issued?.folio })
    expect([(await held()).length, await asked('mipeSendXML.cgi')]).toEqual([before + 1, sends + 1])
  })

  it('lost before the SII read it is issued anew only when the list has long not shown it', async () => {
    const before = (await held()).length
    await live.simulator.script({ ...SEND, kind: 'lose_upload' })
    const id = await empresa.issue(factura(4_000))
    await live.advance(14 * 60)
    expect([(await empresa.document(id)).status, (await held()).length]).toEqual(['queued', before])
    await live.advance(20 * 60)
    expect((await empresa.document(id)).status).toBe('accepted')
    expect(await held()).toHaveLength(before + 1)
  })

  it('that two processes have signed at once is sent by the first of them alone', async () => {
    const { sql } = live.world.db
    const scope = { account_id: empresa.account_id, mode: 'live', empresa_id: empresa.id, rut: empresa.rut } as const
    const read = await Promise.all([openOrder(sql, scope, 'doc_both'), openOrder(sql, scope, 'doc_both')])
    const xml = Buffer.from('<DTE/>')
    const may_send = await Promise.all(
      read.map(({ signatures }, at) =>
        recordSigned(sql, scope, 'doc_both', { after: signatures, folio: 900 + at, xml }),
      ),
    )
    expect(may_send.toSorted()).toEqual([false, true])
    await dropOrder(sql, scope, 'doc_both')
  })

  it('that the SII does not sign for a reason of its own is tried again, a few times: it may be the password after all', async () => {
    const { sql } = live.world.db
    const scope = { account_id: empresa.account_id, mode: 'live', empresa_id: empresa.id, rut: empresa.rut } as const
    const issue = async () => {
      const facts = { kind: 'refused', retry: 'never', reason: 'not_signed', glosa: 'Servicio no disponible' } as const
      throw new SiiFailure({ service: 'mipyme', operation: 'postFirmaDigital.cgi', ambiente: 'produccion' }, facts)
    }
    const portal = portalOver({ sfg: { issue } })
    const order = { empresa: scope, document_id: 'doc_unsigned', document: {} as PortalOrder['document'] }
    const minutes: number[] = []
    for (let nth = 0; nth < 2; nth++) {
      const thrown = await portal.issue(order).catch((error: unknown) => error)
      minutes.push((((thrown as SiiUnreachable).again_at?.getTime() ?? 0) - live.now().getTime()) / 60_000)
    }
    expect(minutes).toEqual([1, 15])
    expect(await portal.issue(order)).toMatchObject({ issued: false, reason: 'credential_refused' })
    await dropOrder(sql, scope, 'doc_unsigned')
  })

  it('that the register has with other data than ours is no verdict: somebody is told to look, and it ends where the SII says', async () => {
    const differs = { state: 'differs', held: true, estado: 'DNK', glosa: 'Documento Recibido pero Datos NO Coinciden' }
    const { statusOf } = portalOver({
      sfg: { list: async () => ({ entries: [] }) },
      dte: { documentStatus: async () => differs },
    })
    const other = await live.beside({ sii: (sii) => ({ ...sii, portal: { ...(sii.portal as SiiPortal), statusOf } }) })
    onTestFinished(() => other.close())
    const id = await empresa.issue(factura(1_200))
    await other.run()
    expect(await empresa.document(id)).toMatchObject({ status: 'sent', failure: { code: 'sii_data_differ' } })
    await live.advance(3_600)
    expect(await empresa.document(id)).toMatchObject({ status: 'accepted', failure: null })
  })

  it('is failed in the SII’s own words when the form is refused, and nothing was issued', async () => {
    const before = (await held()).length
    const id = await empresa.issue(factura(1))
    await live.run()
    const { status, folio, failure } = await empresa.document(id)
    expect([status, folio, failure.code]).toEqual(['failed', null, 'sii_rejected'])
    expect(failure.message).toContain('Valor IVA debe ser mayor a 0')
    expect(await held()).toHaveLength(before)
  })

  it('403 once the SII refused the password, which is not tried again until one is stored anew', async () => {
    await credential('otra')
    const [one, two] = [await empresa.issue(factura(5_000)), await empresa.issue(factura(5_100))]
    await live.run()
    for (const id of [one, two]) {
      expect((await empresa.document(id)).failure).toMatchObject({ code: 'empresa_inactive' })
    }
    const calls = await asked('postFirmaDigital.cgi')
    const refused = await empresa.post('/documents', factura(5_200))
    expect([refused.status, refused.body.error.code]).toEqual([403, 'empresa_inactive'])
    expect(refused.body.error.details).toMatchObject({ reason: 'sfg_credential_refused' })
    const stored = await live.world.get(`/v1/empresas/${empresa.id}/sfg_credential`, { key: empresa.key })
    expect(stored.body.last_refused_at).not.toBeNull()
    expect((await credential(CENTRAL)).body.last_refused_at).toBeNull()
    expect((await empresa.post(`/documents/${one}/retry`)).status).toBe(200)
    await live.run()
    expect((await empresa.document(one)).status).toBe('accepted')
    expect(await asked('postFirmaDigital.cgi')).toBe(calls + 1)
  })

  it.each<[string, object, string, string]>([
    [
      'eleven lines',
      { items: Array.from({ length: 11 }, () => factura(1_000).items[0]) },
      'invalid_field',
      'items[10]',
    ],
    [
      'a long name',
      { items: [{ description: 'x'.repeat(26), unit_price: 10 }] },
      'invalid_field',
      'items[0].description',
    ],
    ['a discount over it all', { discounts: [{ percent: 5 }] }, 'invalid_field', 'discounts'],
    [
      'a receptor without city',
      { receptor: { ...RECEPTOR, address: { street: 'a', comuna: 'b' } } },
      'receptor_incomplete',
      'receptor.address.city',
    ],
    [
      'a zero-amount guía',
      { tipo_dte: 52, dispatch: { transfer_type: 6 }, items: [{ description: 'x', quantity: 1, unit_price: 0 }] },
      'sfg_guia_zero_amount',
      'items[0].unit_price',
    ],
    ['a factura de compra', { tipo_dte: 46 }, 'tipo_not_available_for_channel', 'tipo_dte'],
  ])('refuses %s at POST, by its field and before anything is asked', async (_, change, code, param) => {
    const { counts } = await live.simulator.control('GET', '/control/calls')
    const sent = await empresa.post('/documents', { ...factura(1_000), ...change })
    expect([sent.body.error?.code, sent.body.error?.param]).toEqual([code, param])
    expect((await live.simulator.control('GET', '/control/calls')).counts).toEqual(counts)
  })
})
