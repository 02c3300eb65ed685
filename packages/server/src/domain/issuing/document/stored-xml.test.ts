import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { sampleDraft, signedXml, signerOf } from '../../../../test/support/signed-document.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { decodeDelta } from '../../../kernel/delta-read.ts'
import { openXml, packXml } from './stored-xml.ts'

describe('a signed XML', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ description: `Ñandú <${n}> & "más"`, quantity: n + 1, unit_price: 990 }))

  it.each([1, 2, 60])('comes back byte for byte, of %i lines, and takes a third of its bytes or less', (count) => {
    const { xml } = signedXml(sampleDraft(33, { items: lines(count) }), 7)
    const { bytes, dictionary } = packXml(xml)
    expect(decodeDelta(dictionary?.base.bytes ?? xml, bytes)).toEqual(xml)
    expect(bytes.length).toBeLessThan(xml.length / 3)
  })

  it('shares its dictionary with the others of its emisor, CAF and certificate, whatever they say', () => {
    const one = packXml(signedXml(sampleDraft(33), 7).xml).dictionary
    const other = packXml(signedXml(sampleDraft(33, { items: lines(3) }), 7).xml).dictionary
    expect(other).toBe(one)
    expect(one?.base.bytes.toString()).not.toContain('77123456-9')
  })

  it.each([
    ['certificate', signedXml(sampleDraft(33), 7, signerOf('12345678-5')).xml],
    ['CAF', signedXml(sampleDraft(33), 8).xml],
    ['emisor', signedXml(sampleDraft(33, { emisor: { ...sampleDraft(33).emisor, giro: 'Otro' } }), 7).xml],
  ])('has another dictionary under another %s', (_, xml) => {
    expect(packXml(xml).dictionary?.id).not.toBe(packXml(signedXml(sampleDraft(33), 7).xml).dictionary?.id)
  })

  it('rests as it is where it lacks what others would repeat', () => {
    const xml = Buffer.from('<DTE><Documento/></DTE>')
    expect(packXml(xml)).toEqual({ bytes: xml, dictionary: null })
  })

  it('is an error and never other bytes once its dictionary is gone', () => {
    const { bytes } = packXml(signedXml(sampleDraft(33), 7).xml)
    expect(() => openXml({ xml: bytes, xml_is_packed: true, xml_dictionary: null })).toThrow('missing')
  })
})

describe('the XML of a document that was issued', () => {
  let world: World
  let issuer: Issuer
  beforeAll(async () => {
    world = await openWorld({ quick: true })
    issuer = await openIssuer(world)
  })
  afterAll(() => world.close())

  interface Row {
    readonly document_id: string
    readonly size: number
    readonly dictionary: string | null
  }

  const rowsOf = (of: Issuer) => world.db.sql<Row>`
    select document_id, length(xml) as size, dictionary_id::text as dictionary from document_xml
    where empresa_id = ${of.empresa_id} order by document_id`

  it('rests packed under one dictionary of its empresa for a CAF, and GET …/xml answers what was signed', async () => {
    const ids = [(await issue(issuer, FACTURA)).body.id, (await issue(issuer, FACTURA)).body.id]
    const rows = await rowsOf(issuer)
    expect(new Set(rows.map(({ dictionary }) => dictionary)).size).toBe(1)
    for (const id of ids) {
      const xml = await storedXml(world, id)
      const { bytes } = await issuer.get(`/v1/documents/${id}/xml`)
      expect(bytes).toEqual(xml)
      expect(xml?.toString('latin1')).toMatch(/^<\?xml version="1.0" encoding="ISO-8859-1"\?>\n<DTE .*<\/DTE>$/s)
      expect(rows.find(({ document_id }) => document_id === id)?.size).toBeLessThan((xml?.length ?? 0) / 3)
    }
    const known = await world.db.sql<{ id: string }>`
      select id::text as id from document_xml_dictionary where empresa_id = ${issuer.empresa_id}`
    expect(known).toEqual([{ id: rows[0]?.dictionary }])
  })

  it('is answered as it was written where it rests as before', async () => {
    const { body } = await issue(issuer, FACTURA)
    const xml = await storedXml(world, body.id)
    await world.db.sql`update document_xml set xml = ${xml}, dictionary_id = null where document_id = ${body.id}`
    expect((await issuer.get(`/v1/documents/${body.id}/xml`)).bytes).toEqual(xml)
  })

  it('has a dictionary that nobody changes', async () => {
    await issue(issuer, FACTURA)
    await expect(world.db.sql`update document_xml_dictionary set bytes = 'x'`).rejects.toThrow('append only')
  })

  it('leaves with its dictionary when its sandbox empresa is deleted', async () => {
    const other = await openIssuer(world)
    await issue(other, FACTURA)
    const count = async () => {
      const [row] = await world.db.sql<{ count: number }>`
        select count(*) as count from document_xml_dictionary where empresa_id = ${other.empresa_id}`
      return row?.count
    }
    expect(await count()).toBe(1)
    await world.db.sql`delete from empresa where id = ${other.empresa_id}`
    expect(await count()).toBe(0)
  })
})
