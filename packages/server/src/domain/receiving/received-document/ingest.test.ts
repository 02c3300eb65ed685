import { buildSobre, firstRefusal, parseXml, textAt, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Buyer, openBuyer, SUPPLIER } from '../../../../test/support/buyer.ts'
import { ITEMS } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let buyer: Buyer
beforeAll(async () => {
  world = await openWorld()
  buyer = await openBuyer(world)
})
afterAll(() => world.close())

const HELPER = '/v1/test_helpers/received_documents'
const send = (to: Buyer, xml: Buffer | string) =>
  to.post(HELPER, { xml: Buffer.from(xml as string, 'latin1').toString('base64') })
const xmlOf = async (id: string) => (await buyer.get(`/v1/received_documents/${id}/xml`)).bytes
const quarantined = async (who: Buyer) => (await who.events('reception.quarantined')).map(({ data }) => data)

interface Kept {
  readonly kind: string
  readonly xml: Buffer
}
const answersOf = (reception_of: string) => world.db.sql<Kept>`
  select a.kind, a.xml from received_answer a join received_document d on d.reception_id = a.reception_id
  where d.id = ${reception_of} and a.sent_at is not null order by a.number`
const parsed = (xml: Buffer) => {
  const read = parseXml(xml)
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value
}

describe('what comes in', () => {
  it('201 takes the same document again quietly: the same one comes back and nothing is told or kept twice', async () => {
    const { body: first } = await buyer.receive()
    const again = await send(buyer, (await xmlOf(first.id)).toString('latin1'))
    expect([again.status, again.body]).toEqual([201, first])
    const told = (await buyer.events('received_document.created')).filter(({ data }) => data.object.id === first.id)
    expect(told).toHaveLength(1)
    expect(await quarantined(buyer)).toEqual([])
  })

  it('422 received_file_refused for other content under the same folio, which is quarantined and changes nothing', async () => {
    const { body: first } = await buyer.receive({ folio: 77 })
    const other = await buyer.receive({ folio: 77, items: [{ description: 'Otra cosa', quantity: 1, unit_price: 9 }] })
    expect([other.status, other.body.error.code]).toEqual([422, 'received_file_refused'])
    expect([other.body.error.param, other.body.error.details]).toEqual([
      'document',
      { reason: 'repeated_other_content' },
    ])
    expect((await buyer.get(`/v1/received_documents/${first.id}`)).body).toEqual(first)
    const [told] = await quarantined(buyer)
    expect(told).toMatchObject({
      object: { object: 'reception', quarantine: { reason: 'repeated_other_content' }, documents: [] },
      detail: { reason: 'repeated_other_content', documents: [{ tipo_dte: 33, folio: 77 }] },
    })
    const [kept] = await world.db.sql<{ raw: Buffer }>`
      select raw from reception_quarantine where id = ${told.object.id}`
    expect(kept?.raw.toString('latin1')).toContain('Otra cosa')
  })

  it('422 received_file_refused for a document of another company, a tampered one, and no document at all', async () => {
    const stranger = await openBuyer(world)
    const { body } = await buyer.receive()
    const text = (await xmlOf(body.id)).toString('latin1')
    const files = {
      other_receptor: text,
      bad_signature: text.replace(/<MntTotal>\d+/, '<MntTotal>1'),
      not_xml: 'hola',
      no_document: '<Factura/>',
      bomb: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><DTE>&b;</DTE>',
    }
    for (const [reason, file] of Object.entries(files)) {
      const refused = await send(stranger, file)
      expect([refused.status, refused.body.error.details]).toEqual([422, { reason }])
    }
    const told = await quarantined(stranger)
    expect(told.map(({ detail }) => detail.reason)).toEqual(Object.keys(files))
    expect((await stranger.get('/v1/received_documents')).body.data).toEqual([])
  })

  it('keeps what other taxpayers answer to documents of the empresa, and alarms nobody', async () => {
    const calm = await openBuyer(world)
    const answered = await send(calm, '<RespuestaDTE xmlns="http://www.sii.cl/SiiDte"/>')
    expect([answered.status, answered.body.error.details]).toEqual([422, { reason: 'exchange_answer' }])
    expect(await quarantined(calm)).toEqual([])
    const kept = await world.db.sql`select reason from reception_quarantine where empresa_id = ${calm.empresa_id}`
    expect(kept).toEqual([{ reason: 'exchange_answer' }])
  })

  it('goes with its empresa: documents, files, answers and quarantine', async () => {
    const gone = await openBuyer(world)
    const { body } = await gone.receive()
    await gone.act(body.id, 'accept')
    await send(gone, 'hola')
    const owner = await world.key(gone.account, { scopes: ['empresas:write'] })
    expect((await world.delete(`/v1/empresas/${gone.empresa_id}`, { key: owner })).status).toBe(204)
    const [left] = await world.db.sql<{ rows: number }>`
      select (select count(*) from received_document where empresa_id = ${gone.empresa_id})
        + (select count(*) from received_document_xml where empresa_id = ${gone.empresa_id})
        + (select count(*) from reception where empresa_id = ${gone.empresa_id})
        + (select count(*) from reception_quarantine where empresa_id = ${gone.empresa_id})
        + (select count(*) from received_answer where empresa_id = ${gone.empresa_id})
        + (select count(*) from sandbox_claim where empresa_id = ${gone.empresa_id}) as rows`
    expect(left?.rows).toBe(0)
  })

  it('201 takes every document of an envelope, once each, and answers with the first', async () => {
    const source = await buyer.receive()
    const first = (await xmlOf(source.body.id)).toString('latin1')
    const second = (await xmlOf((await buyer.receive()).body.id)).toString('latin1')
    const bare = (text: string) => text.slice(text.indexOf('<DTE'))
    await world.db.sql`delete from received_document where empresa_id = ${buyer.empresa_id}`
    const { SIGNER } = await import('../../../../test/support/signed-document.ts')
    const sobre = await buildSobre(
      {
        emisor_rut: '76543210-3',
        envia_rut: '11111111-1',
        receptor_rut: buyer.rut,
        resolucion: { date: '2014-08-22', number: 80 },
        tmst_firma: '2026-11-10T12:00:00',
        documents: [first, second].map((text) => ({ tipo_dte: 33 as const, xml: bare(text), foreign: true })),
      },
      SIGNER,
    )
    if (!sobre.ok) throw new Error(sobre.refusal.message)
    const sent = await send(buyer, sobre.value)
    expect([sent.status, sent.body.folio]).toEqual([201, source.body.folio])
    expect((await buyer.get('/v1/received_documents')).body.data).toHaveLength(2)
  })

  it('400 invalid_field for what is not base64', async () => {
    const sent = await buyer.post(HELPER, { xml: '<DTE/>' })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'xml'])
  })
})

describe('the answers between taxpayers', () => {
  it('are signed and kept: RecepcionEnvio on arrival, ResultadoDTE and EnvioRecibos with what was answered', async () => {
    const { body } = await buyer.receive()
    await buyer.act(body.id, 'acknowledge_receipt', { place: 'Bodega Ñuñoa', person_rut: '12345678-5' })
    await buyer.act(body.id, 'accept')
    await expect.poll(async () => (await answersOf(body.id)).length).toBe(3)
    const answers = await answersOf(body.id)
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['envio_recibos', 'recepcion_envio', 'resultado_dte'])
    for (const { xml } of answers) expect(firstRefusal(verifySignatures(parsed(xml)))).toBeNull()
    const root = (kind: string) => parsed(answers.find((answer) => answer.kind === kind)?.xml as Buffer).root
    const reception = (...path: string[]) => textAt(root('recepcion_envio'), 'Resultado', 'RecepcionEnvio', ...path)
    expect([reception('EstadoRecepEnv'), reception('RecepcionDTE', 'EstadoRecepDTE')]).toEqual(['0', '0'])
    expect(reception('RecepcionDTE', 'Folio')).toBe(String(body.folio))
    expect(textAt(root('resultado_dte'), 'Resultado', 'ResultadoDTE', 'EstadoDTE')).toBe('0')
    const recibo = (name: string) => textAt(root('envio_recibos'), 'SetRecibos', 'Recibo', 'DocumentoRecibo', name)
    expect([recibo('Recinto'), recibo('RutFirma')]).toEqual(['Bodega Ñuñoa', '12345678-5'])
  })

  it('tell reception.acuse_sent, and no mail leaves the sandbox', async () => {
    const { body } = await buyer.receive()
    const sent = async () =>
      (await buyer.events('reception.acuse_sent')).filter(({ data }) => data.object.documents.includes(body.id))
    await expect.poll(async () => (await sent()).length).toBe(1)
    expect((await sent())[0].data).toMatchObject({
      object: { object: 'reception', source: 'test_helper', emisor_rut: '76543210-3', quarantine: null },
      detail: { kind: 'recepcion_envio', to: null },
    })
    expect(world.letters).toEqual([])
  })

  it('carry the reason of a claim', async () => {
    const { body } = await buyer.receive()
    await buyer.act(body.id, 'reject', { code: 'RCD', reason: 'No es lo que pedimos' })
    await expect.poll(async () => (await answersOf(body.id)).length).toBe(2)
    const claim = (await answersOf(body.id)).find(({ kind }) => kind === 'resultado_dte')
    const said = (name: string) => textAt(parsed(claim?.xml as Buffer).root, 'Resultado', 'ResultadoDTE', name)
    expect([said('EstadoDTE'), said('EstadoDTEGlosa')]).toEqual(['2', 'No es lo que pedimos'])
  })
})

describe('what was set aside', () => {
  const ALL = '/v1/received_documents/quarantine'
  const last = async (who: Buyer) => (await who.get(`${ALL}?limit=1`)).body.data[0]
  const settle = (id: string, verb: 'release' | 'discard', who = buyer) => who.post(`${ALL}/${id}/${verb}`)
  /** A factura of another empresa's supplier, sent here with its characters changed. */
  const sentChanged = async (change: (xml: string) => string) => {
    const { body } = await buyer.receive()
    const xml = change((await xmlOf(body.id)).toString('latin1'))
    const refused = await send(buyer, xml)
    expect([refused.status, refused.body.error.code]).toEqual([422, 'received_file_refused'])
    return { xml, file: await last(buyer) }
  }
  const otherFolio = (xml: string) => xml.replace(/<Folio>(\d+)</, '<Folio>9$1<')

  it('200 is listed with its reason, and downloaded as it came, never as something that a browser opens', async () => {
    const { xml, file } = await sentChanged(otherFolio)
    expect(file).toMatchObject({ object: 'quarantined_file', status: 'quarantined', reason: 'bad_signature' })
    expect([file.bytes, file.documents, file.settled_at]).toEqual([xml.length, [], null])
    expect((await buyer.get(`${ALL}/${file.id}`)).body).toEqual(file)
    const downloaded = await buyer.get(`${ALL}/${file.id}/file`)
    expect(downloaded.bytes.toString('latin1')).toBe(xml)
    expect(downloaded.headers['content-type']).toBe('application/octet-stream')
    expect(downloaded.headers['content-disposition']).toMatch(/^attachment/)
    const reasons = async (query: string) =>
      (await buyer.get(`${ALL}?${query}`)).body.data.map((one: { reason: string }) => one.reason)
    expect(new Set(await reasons('reason=bad_signature'))).toEqual(new Set(['bad_signature']))
    expect(await reasons('status=released&reason=bad_signature')).toEqual([])
    expect((await buyer.get(`${ALL}/rcp_nadie`)).body.error.code).toBe('quarantined_file_not_found')
    expect((await buyer.get(`${ALL}/rcp_nadie/file`)).body.error.code).toBe('quarantined_file_not_found')
    expect((await settle('rcp_nadie', 'release')).body.error.code).toBe('quarantined_file_not_found')
    expect((await settle('rcp_nadie', 'discard')).body.error.code).toBe('quarantined_file_not_found')
    expect((await buyer.get(`${ALL}?cursor=cur_x`)).body.error.code).toBe('invalid_cursor')
  })

  it('200 is released by a person: its documents are here, unproven with their reasons, and nobody is answered', async () => {
    const { xml, file } = await sentChanged(otherFolio)
    const released = await settle(file.id, 'release')
    expect([released.status, released.body.status, released.body.documents.length]).toEqual([200, 'released', 1])
    const [id] = released.body.documents
    const { body } = await buyer.get(`/v1/received_documents/${id}`)
    expect(body.authenticity).toEqual({ status: 'unproven', reasons: ['signature_false', 'released_from_quarantine'] })
    expect(body.received_at).toBe(file.received_at)
    expect((await xmlOf(id)).toString('latin1')).toBe(xml)
    const types = (await buyer.events()).map(({ type, data }) => [type, data.object.id])
    expect(types).toContainEqual(['reception.released', file.id])
    expect(types).toContainEqual(['received_document.created', id])
    expect(await answersOf(id)).toEqual([])
    const again = await settle(file.id, 'release')
    expect([again.body.error.code, again.body.error.details]).toEqual([
      'quarantined_file_settled',
      { status: 'released' },
    ])
    expect((await settle(file.id, 'discard')).body.error.code).toBe('quarantined_file_settled')
  })

  it('201 gives way to one whose stamp is true, though nobody vouches for its signer either', async () => {
    const { file } = await sentChanged(otherFolio)
    const [id] = (await settle(file.id, 'release')).body.documents
    const { folio } = (await buyer.get(`/v1/received_documents/${id}`)).body
    const document = { tipo_dte: 33, folio, emisor: SUPPLIER, items: ITEMS }
    const genuine = await buyer.post(HELPER, { document, certificate: 'self_signed' })
    expect(genuine.status, genuine.text).toBe(201)
    expect(genuine.body.id).toBe(id)
    expect(genuine.body.authenticity.reasons).not.toContain('signature_false')
  })

  it('422 is not released when it is no document, is of another company or differs from one that is here', async () => {
    await send(buyer, 'no es XML')
    const junk = await settle((await last(buyer)).id, 'release')
    expect([junk.status, junk.body.error.code]).toEqual([422, 'quarantined_file_not_releasable'])
    expect(junk.body.error.details).toEqual({ reason: 'not_xml' })
    const foreign = await sentChanged((xml) => otherFolio(xml).replace(/<RUTRecep>[^<]+/, '<RUTRecep>60803000-K'))
    // Its signature is false and it is of another company: neither makes it ours.
    expect((await settle(foreign.file.id, 'release')).body.error.code).toBe('quarantined_file_not_releasable')
    const { file } = await sentChanged((xml) => xml.replace(/<NmbItem>./, '<NmbItem>Z'))
    const differs = await settle(file.id, 'release')
    expect(differs.body.error.details).toMatchObject({ reason: 'repeated_other_content' })
    expect((await buyer.get(`${ALL}/${file.id}`)).body.status).toBe('quarantined')
  })

  it('200 is discarded by a person: its bytes are gone, that it came stays, and twice is once', async () => {
    const { file } = await sentChanged(otherFolio)
    const discarded = await settle(file.id, 'discard')
    expect(discarded.body).toMatchObject({ status: 'discarded', bytes: null, bytes_kept_until: null, documents: [] })
    expect((await settle(file.id, 'discard')).body).toEqual(discarded.body)
    expect((await buyer.get(`${ALL}/${file.id}/file`)).body.error.code).toBe('quarantined_bytes_gone')
    expect((await settle(file.id, 'release')).body.error.code).toBe('quarantined_file_settled')
    const [told] = (await buyer.events('reception.discarded')).filter(({ data }) => data.object.id === file.id)
    expect(told.data.previous_attributes).toMatchObject({ status: 'quarantined' })
    const { file: old } = await sentChanged(otherFolio)
    await world.db.sql`update reception_quarantine set raw = null where id = ${old.id}`
    expect((await settle(old.id, 'release')).body.error.code).toBe('quarantined_bytes_gone')
  })
})
