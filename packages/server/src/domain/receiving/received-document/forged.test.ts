import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Buyer, openBuyer, SUPPLIER } from '../../../../test/support/buyer.ts'
import { AUTHORITY_KEYS, SIGNER, signerOf, TEST_CA } from '../../../../test/support/signed-document.ts'
import { dteFile, envelopeOf, forgedFile } from '../../../../test/support/supplier-file.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Sii } from '../../../ports/sii.ts'

let world: World
let buyer: Buyer
const EMISOR = '76543210-3'
const OWNER = signerOf(EMISOR)
const PERSON = signerOf('15555555-6')
const EXPIRED = { valid_from: new Date('2018-01-01T00:00:00Z'), valid_until: new Date('2019-01-01T00:00:00Z') }

beforeAll(async () => {
  const test_sii = (sandbox: Sii): Sii => ({
    ...sandbox,
    authorityKeys: async () => AUTHORITY_KEYS,
    certificateAuthorities: async () => TEST_CA,
  })
  world = await openWorld({ test_sii })
  buyer = await openBuyer(world)
})
afterAll(() => world.close())

const HELPER = '/v1/test_helpers/received_documents'
let folio = 100
const send = (file: Buffer, to = buyer) => to.post(HELPER, { xml: file.toString('base64') })
const read = async (id: string) => (await buyer.get(`/v1/received_documents/${id}`)).body
const genuine = (signer = OWNER, number = folio++) => dteFile(buyer.rut, number, {}, signer)
const UNKNOWN_TAX = '<ImptoReten><TipoImp>999</TipoImp><MontoImp>0</MontoImp></ImptoReten>'
const LARGE_LINE =
  '<Detalle><NroLinDet>3</NroLinDet><NmbItem>Asesoría</NmbItem><MontoItem>100000000000</MontoItem></Detalle>'
const hiddenByCredit = (text: string) =>
  text
    .replace(/<MntNeto>(\d+)/, (_, net) => `<MntNeto>${Number(net) + 100_000_000_000}`)
    .replace(/<IVA>(\d+)/, (_, iva) => `<IVA>${Number(iva) + 19_000_000_000}`)
    .replace('<MntTotal>', '<CredEC>119000000000</CredEC><MntTotal>')
    .replace('<TED', `${LARGE_LINE}<TED`)
const otherLine = (text: string) => text.replace('Aceite de oliva', 'Vinagre de alcohol')
const replacedEvents = async (id: string) =>
  (await buyer.events('received_document.replaced')).filter(({ data }) => data.object.id === id)
const setAside = async () => (await buyer.events('reception.quarantined')).at(-1)?.data

describe('a genuine timbre on a forged document', () => {
  it('422: other items, another IVA and an expired certificate of somebody else are set aside, and the genuine one is taken', async () => {
    const file = genuine()
    const forge = (text: string) =>
      text
        .replace('Carmenère', 'Cabernet')
        .replace(/<MntNeto>\d+/, '<MntNeto>1')
        .replace(/<IVA>\d+/, '<IVA>2822398')
    const forged = await send(forgedFile(file, forge, signerOf('15555555-6', EXPIRED, { self_signed: true })))
    expect([forged.status, forged.body.error.details]).toEqual([422, { reason: 'certificate_not_valid' }])
    const taken = await send(file)
    expect([taken.status, taken.body.authenticity]).toEqual([201, { status: 'verified', reasons: [] }])
    expect(await replacedEvents(taken.body.id)).toEqual([])
  })

  it('422 for each mark of a forgery by itself, told with its reason', async () => {
    const file = genuine()
    const self = SIGNER
    const answered = async () =>
      (await world.db.sql`select 1 from received_answer where empresa_id = ${buyer.empresa_id}`).length
    const before = await answered()
    const marks: [string, (text: string) => string, typeof SIGNER][] = [
      ['timbre_mismatch', (text) => text.replace('Carmenère', 'Cabernet'), self],
      ['timbre_mismatch', (text) => text.replace('<RznSocRecep>Distribuidora', '<RznSocRecep>Importadora'), self],
      ['totals_mismatch', (text) => text.replace(/<IVA>(\d)/, '<IVA>9$1'), self],
      ['totals_mismatch', (text) => text.replace(/<MontoItem>176400/, '<MontoItem>76400'), self],
      ['totals_mismatch', (text) => text.replace(/<QtyItem>24/, '<QtyItem>1e308'), self],
      ['totals_mismatch', (text) => text.replace('</IVA>', `</IVA>${UNKNOWN_TAX}`), self],
      ['totals_mismatch', hiddenByCredit, self],
      ['bad_schema', (text) => text.replace(/<IVA>\d+/, '<IVA>-5'), self],
      ['bad_schema', (text) => text.replace('Aceite de oliva', 'A'.repeat(500_000)), self],
      ['timbre_mismatch', (text) => text.replace(/<MntTotal>\d+/, '<MntTotal>5'), OWNER],
      ['timbre_mismatch', (text) => text.replace(/<Folio>\d+/, '<Folio>9999'), OWNER],
      ['certificate_not_valid', otherLine, signerOf(EMISOR, EXPIRED)],
    ]
    for (const [reason, change, signer] of marks) {
      const sent = await send(forgedFile(file, change, signer))
      expect([sent.status, sent.body.error?.details]).toEqual([422, { reason }])
      expect(await setAside()).toMatchObject({ object: { quarantine: { reason } }, detail: { reason } })
    }
    // Who forges a document also forges its sender: nobody is answered.
    expect(await answered()).toBe(before)
  })

  it('201 unproven where nothing contradicts: who signed it is unknown, and it says so', async () => {
    const sent = await send(forgedFile(genuine(), otherLine, SIGNER))
    expect([sent.status, sent.body.authenticity]).toEqual([
      201,
      { status: 'unproven', reasons: ['certificate_self_signed', 'signer_not_emisor'] },
    ])
    const pdf = await buyer.get(`/v1/received_documents/${sent.body.id}/pdf`)
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })
})

describe('a document that is proven', () => {
  it('takes the place of one that is not: same id, its answers kept, the other kept for the record', async () => {
    const file = genuine()
    const { body: forged } = await send(forgedFile(file, otherLine, SIGNER))
    const before = await buyer.get(`/v1/received_documents/${forged.id}/pdf`)
    const { body: accepted } = await buyer.act(forged.id, 'accept')
    const taken = await send(file)
    expect([taken.status, taken.body.id]).toEqual([201, forged.id])
    const now = await read(forged.id)
    expect(now).toEqual(taken.body)
    expect(now).toMatchObject({
      authenticity: { status: 'verified', reasons: [] },
      status: 'accepted',
      answered_at: accepted.answered_at,
      received_at: forged.received_at,
      replaced_at: expect.any(String),
    })
    expect(now.items[1].description).toBe('Aceite de oliva 1 L')
    const xml = await buyer.get(`/v1/received_documents/${forged.id}/xml`)
    expect(xml.bytes.toString('latin1')).toContain('Aceite de oliva')
    const after = await buyer.get(`/v1/received_documents/${forged.id}/pdf`)
    expect(after.bytes.equals(before.bytes)).toBe(false)

    const { body: replaced } = await buyer.get(`/v1/received_documents/${forged.id}/replaced`)
    expect(replaced.data).toHaveLength(1)
    expect(replaced.data[0]).toMatchObject({ document: accepted, replaced_at: now.replaced_at })
    expect(Buffer.from(replaced.data[0].xml, 'base64').toString('latin1')).toContain('Vinagre de alcohol')

    const told = await replacedEvents(forged.id)
    expect(told).toHaveLength(1)
    expect(told[0].data).toMatchObject({
      object: { id: forged.id, authenticity: { status: 'verified' } },
      previous_attributes: { authenticity: forged.authenticity, items: forged.items, replaced_at: null },
      detail: { same_content: false, answered: true },
    })
    expect(Object.keys(told[0].data.previous_attributes)).not.toContain('status')
  })

  it('brings its own clock where nobody answered yet, and counts once', async () => {
    const file = genuine()
    const { body: forged } = await send(forgedFile(file, otherLine, SIGNER))
    await buyer.advance('P1D')
    const { body } = await send(file)
    expect(body.deadline_at > forged.deadline_at).toBe(true)
    const used = await world.db.sql`select 1 from usage_record where subject_id = ${forged.id}`
    expect(used).toHaveLength(1)
  })

  it('422 is never replaced by one that is not, nor by another that is: the second is set aside', async () => {
    const file = genuine()
    const { body: first } = await send(file)
    for (const signer of [SIGNER, PERSON, OWNER]) {
      const sent = await send(forgedFile(file, otherLine, signer))
      expect([sent.status, sent.body.error.details]).toEqual([422, { reason: 'repeated_other_content' }])
    }
    expect(await read(first.id)).toEqual(first)
    expect((await buyer.get(`/v1/received_documents/${first.id}/replaced`)).body.data).toEqual([])
  })

  it('takes the place of a copy of itself that somebody else signed, which says the same', async () => {
    const file = genuine()
    const { body: copy } = await send(forgedFile(file, (text) => text, SIGNER))
    const { body } = await send(file)
    expect([body.id, body.authenticity.status]).toEqual([copy.id, 'verified'])
    expect((await replacedEvents(copy.id))[0].data.detail).toEqual({ same_content: true, answered: false })
    expect((await send(forgedFile(file, (text) => text, SIGNER))).body).toEqual(body)
  })

  it('stands also where one file holds both, the forged one first', async () => {
    const file = genuine()
    const forge = (text: string) => otherLine(text).replace(/ ID="[^"]+"/, ' ID="otro"')
    const sent = await send(await envelopeOf(buyer.rut, [forgedFile(file, forge, SIGNER), file]))
    expect([sent.status, sent.body.authenticity.status]).toEqual([201, 'verified'])
    expect(await read(sent.body.id)).toEqual(sent.body)
    const told = (await buyer.events()).filter(({ data }) => data.object.id === sent.body.id)
    expect(told.map(({ type }) => type)).toEqual(['received_document.created', 'received_document.replaced'])
    const { body } = await buyer.get(`/v1/received_documents/${sent.body.id}/replaced`)
    expect(body.data).toHaveLength(1)
    expect(await replacedEvents(sent.body.id)).toHaveLength(1)
  })

  it('stands at the end however the two of them race', async () => {
    const file = genuine()
    const sent = await Promise.all([
      send(file),
      ...[1, 2, 3].map((n) => send(forgedFile(file, (text) => text.replace('Aceite', `Aceite ${n}`), SIGNER))),
    ])
    const ids = sent.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(await read(ids[0])).toMatchObject({ authenticity: { status: 'verified' }, items: expect.any(Array) })
    expect((await read(ids[0])).items[1].description).toBe('Aceite de oliva 1 L')
  })
})

describe('documents that are not proven', () => {
  it('422 when two differ: the first stays and says that another came, once', async () => {
    const file = genuine()
    const { body: first } = await send(forgedFile(file, otherLine, SIGNER))
    for (const name of ['Aceto', 'Agua']) {
      const sent = await send(forgedFile(file, (text) => text.replace('Aceite de oliva', name), SIGNER))
      expect([sent.status, sent.body.error.details]).toEqual([422, { reason: 'repeated_other_content' }])
    }
    const { authenticity, ...rest } = await read(first.id)
    expect(rest).toEqual({ ...first, authenticity: undefined })
    expect(authenticity.reasons).toEqual([...first.authenticity.reasons, 'other_content_set_aside'])
  })

  it('yield to one whose signer a CA vouches for, though it is not the emisor', async () => {
    const file = genuine(PERSON)
    const { body: forged } = await send(forgedFile(file, otherLine, SIGNER))
    const { body } = await send(file)
    expect([body.id, body.authenticity]).toEqual([forged.id, { status: 'unproven', reasons: ['signer_not_emisor'] }])
    expect((await send(forgedFile(file, otherLine, OWNER))).body.authenticity.status).toBe('verified')
    expect((await buyer.get(`/v1/received_documents/${forged.id}/replaced`)).body.data).toHaveLength(2)
  })

  it('404 received_document_not_found for what one took the place of, where there is none', async () => {
    const { status, body } = await buyer.get('/v1/received_documents/rcd_01h5k3vq8n5r6t7w8x9y0z1a2b/replaced')
    expect([status, body.error.code]).toEqual([404, 'received_document_not_found'])
  })
})

describe('a supplier of the sandbox', () => {
  let plain: World
  let shop: Buyer
  beforeAll(async () => {
    plain = await openWorld()
    shop = await openBuyer(plain)
  })
  afterAll(() => plain.close())
  const play = (certificate?: string) =>
    shop.post(HELPER, { document: { emisor: SUPPLIER }, ...(certificate && { certificate }) })

  it('201 signs as the emisor, as another person or as anybody, and 422 with an expired certificate', async () => {
    const said = async (certificate?: string) => (await play(certificate)).body.authenticity
    expect(await said()).toEqual({ status: 'verified', reasons: [] })
    expect(await said('of_emisor')).toEqual({ status: 'verified', reasons: [] })
    expect(await said('of_other_person')).toEqual({ status: 'unproven', reasons: ['signer_not_emisor'] })
    expect(await said('self_signed')).toEqual({ status: 'unproven', reasons: ['certificate_self_signed'] })
    const expired = await play('expired')
    expect([expired.status, expired.body.error.details]).toEqual([422, { reason: 'certificate_not_valid' }])
  })

  it('400 invalid_field for a certificate beside a file that is signed already', async () => {
    const sent = await shop.post(HELPER, { xml: 'AAAA', certificate: 'expired' })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'certificate'])
  })
})
