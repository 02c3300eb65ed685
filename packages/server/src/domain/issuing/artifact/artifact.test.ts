import { execFileSync } from 'node:child_process'
import { parseXml, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodePdf417 } from '../../../../../dte/test/pdf/decode.ts'
import { readText } from '../../../../../dte/test/pdf/extract.ts'
import { hasPoppler, rasterize } from '../../../../../dte/test/pdf/raster.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

const noPoppler = !hasPoppler()
if (noPoppler) console.warn('artifact.test.ts: pdftoppm is missing; no page is looked at')

const codeOf = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]
const pdfPath = (id: string, query = '') => `/v1/documents/${id}/pdf${query}`
const xmlPath = (id: string) => `/v1/documents/${id}/xml`

describe('the artifacts of a document', () => {
  let world: World
  let issuer: Issuer
  beforeAll(async () => {
    world = await openWorld()
    issuer = await openIssuer(world, { scopes: ['documents:read', 'documents:write', 'empresas:write'] })
  })
  afterAll(() => world.close())

  describe('GET /documents/{document_id}/xml', () => {
    it('200 gives the very bytes that were signed, as a file that says how it is written and verifies', async () => {
      const { id, folio, xml } = await issue(world, issuer)
      const sent = await issuer.get(xmlPath(id))
      expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/xml'])
      const declared = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\n')
      expect(sent.bytes).toEqual(Buffer.concat([declared, xml]))
      const parsed = parseXml(sent.bytes)
      const signatures = parsed.ok ? verifySignatures(parsed.value) : parsed
      expect(signatures.ok && signatures.value.map(({ refusal }) => refusal)).toEqual([null])
      expect(sent.headers['content-disposition']).toBe(`inline; filename="${issuer.rut}-T33-F${folio}.xml"`)
    })

    it('409 artifact_not_ready while it waits to be signed, with when to ask again', async () => {
      const { id } = await issue(world, issuer, { status: 'queued', signed: false })
      for (const path of [xmlPath(id), pdfPath(id)]) {
        const sent = await issuer.get(path)
        expect(codeOf(sent)).toEqual([409, 'artifact_not_ready'])
        expect(sent.body.error).toMatchObject({
          details: { status: 'queued' },
          retriable: true,
          retry_after_seconds: 1,
        })
        expect([sent.headers['retry-after'], sent.headers['svc-poll-after']]).toEqual(['1', '1'])
        expect(sent.body.error.message).toContain('not signed yet')
      }
    })

    it('409 artifact_not_available of one that failed before it was signed: asking again does not help', async () => {
      const { id } = await issue(world, issuer, { status: 'failed', signed: false })
      for (const path of [xmlPath(id), pdfPath(id)]) {
        const sent = await issuer.get(path)
        expect(codeOf(sent)).toEqual([409, 'artifact_not_available'])
        expect(sent.body.error).toMatchObject({ details: { status: 'failed' }, retriable: false })
        expect(sent.headers['retry-after']).toBeUndefined()
        expect(sent.body.error.message).toContain('failed before')
      }
    })

    it('404 document_not_found for a document that is not there or is another empresa’s', async () => {
      const other = await openIssuer(world, { account: issuer.account })
      const { id } = await issue(world, other)
      for (const path of [xmlPath(id), pdfPath(id), xmlPath('doc_x'), pdfPath('doc_x')]) {
        expect(codeOf(await issuer.get(path))).toEqual([404, 'document_not_found'])
      }
    })
  })

  describe('GET /documents/{document_id}/pdf', () => {
    it('200 gives a PDF with the names, the total and the watermark of test mode', async () => {
      const { id, folio } = await issue(world, issuer)
      const sent = await issuer.get(pdfPath(id))
      expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/pdf'])
      expect(sent.headers['content-disposition']).toBe(`inline; filename="${issuer.rut}-T33-F${folio}.pdf"`)
      const text = readText(sent.bytes).replace(/\s+/g, ' ')
      for (const part of [
        'SIN VALOR TRIBUTARIO',
        'Viña y Bodegas Peñalolén SpA',
        'FACTURA ELECTRÓNICA',
        `N° ${folio}`,
      ]) {
        expect(text).toContain(part)
      }
      expect(text).toMatch(/Res\. 0 de \d{4}/)
    })

    it.skipIf(noPoppler)(
      '200 shows other programs the watermark, and a timbre that reads as the TED of the XML',
      async () => {
        const { id, ted } = await issue(world, issuer)
        const { bytes } = await issuer.get(pdfPath(id))
        const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes, encoding: 'utf8' })
        // Read letter by letter, for it lies across the page.
        expect(text.replace(/\s+/g, '')).toContain('SINVALORTRIBUTARIO')
        const [page] = rasterize(bytes, 200)
        const found = page ? await decodePdf417(page) : []
        expect(found.map((code) => new TextDecoder('latin1').decode(code.bytes))).toEqual([ted])
      },
    )

    it('200 prints as soon as it is signed, whatever the SII still has to say', async () => {
      for (const status of ['queued', 'sent', 'rejected', 'annulled'] as const) {
        const { id } = await issue(world, issuer, { status })
        expect((await issuer.get(pdfPath(id))).status).toBe(200)
      }
    })

    it('200 gives the same bytes again, also to those who asked at once and after the file was lost', async () => {
      const { id } = await issue(world, issuer)
      const [one, two] = await Promise.all([issuer.get(pdfPath(id)), issuer.get(pdfPath(id))])
      expect(two.bytes).toEqual(one.bytes)
      const beside = await openWorld({ beside: world })
      const elsewhere = await beside.get(pdfPath(id), { key: issuer.key, empresa: issuer.rut })
      await beside.close()
      expect(elsewhere.bytes).toEqual(one.bytes)
    })

    it('200 chooses the paper: the request, then the document, then the branding where it is lawful, then letter', async () => {
      const dressed = await openIssuer(world, { scopes: ['documents:read', 'empresas:write'] })
      const branding = { print_format: 'ticket_58' }
      await world.patch(`/v1/empresas/${dressed.empresa_id}/branding`, { key: dressed.key, body: branding })
      const widthOf = async (id: string, query = '') => {
        const { bytes } = await dressed.get(pdfPath(id, query))
        const [, width] = /MediaBox \[0 0 ([\d.]+)/.exec(bytes.toString('latin1')) ?? []
        return Math.round((Number(width) / 72) * 25.4)
      }
      const factura = await issue(world, dressed)
      const boleta = await issue(world, dressed, { tipo_dte: 39 })
      const asked = await issue(world, dressed, { pdf_format: 'ticket_80' })
      expect(await widthOf(factura.id)).toBe(216)
      expect(await widthOf(boleta.id)).toBe(58)
      expect(await widthOf(asked.id)).toBe(80)
      expect(await widthOf(asked.id, '?format=letter')).toBe(216)
    })

    it('200 gives the cedible copy when it, or the document, says so', async () => {
      const { id, folio } = await issue(world, issuer, { pdf_cedible: true })
      const cedible = await issuer.get(pdfPath(id))
      expect(readText(cedible.bytes)).toContain('CEDIBLE')
      expect(cedible.headers['content-disposition']).toContain(`F${folio}-cedible.pdf`)
      const plain = await issuer.get(pdfPath(id, '?cedible=false'))
      expect(readText(plain.bytes)).not.toContain('CEDIBLE')
      expect((await issuer.get(pdfPath(id, '?cedible=true'))).bytes).toEqual(cedible.bytes)
    })

    it('400 invalid_field for a cedible copy of what left by the free portal, here and as a link; unasked it is plain', async () => {
      const { id } = await issue(world, issuer, { pdf_cedible: true })
      await world.db.sql`update document set emission_channel = 'sfg' where id = ${id}`
      const asked = await issuer.get(pdfPath(id, '?cedible=true'))
      expect([...codeOf(asked), asked.body.error.param]).toEqual([400, 'invalid_field', 'cedible'])
      expect(readText((await issuer.get(pdfPath(id))).bytes)).not.toContain('CEDIBLE')
      const writer = await world.key(issuer.account, { scopes: ['documents:write'] })
      const request = { key: writer, empresa: issuer.rut, body: { cedible: true } }
      const link = await world.post(`/v1/documents/${id}/public_links`, request)
      expect([...codeOf(link), link.body.error.param]).toEqual([400, 'invalid_field', 'cedible'])
    })

    it('400 invalid_field for a paper the SII does not allow, a cedible copy that does not exist, and nonsense', async () => {
      const factura = await issue(world, issuer)
      const boleta = await issue(world, issuer, { tipo_dte: 39 })
      for (const [id, query, param] of [
        [factura.id, '?format=ticket_58', 'format'],
        [boleta.id, '?cedible=true', 'cedible'],
        [factura.id, '?format=a4', 'format'],
        [factura.id, '?cedible=maybe', 'cedible'],
      ] as const) {
        const sent = await issuer.get(pdfPath(id, query))
        expect([...codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', param])
      }
    })

    it('200 keeps what was printed: a new footer dresses later documents alone', async () => {
      const dressed = await openIssuer(world, { scopes: ['documents:read', 'empresas:write'] })
      const footer = (footer_text: string) =>
        world.patch(`/v1/empresas/${dressed.empresa_id}/branding`, { key: dressed.key, body: { footer_text } })
      await footer('Primer pie')
      const before = await issue(world, dressed)
      const printed = await dressed.get(pdfPath(before.id))
      expect(readText(printed.bytes)).toContain('Primer pie')
      await footer('Segundo pie')
      expect((await dressed.get(pdfPath(before.id))).bytes).toEqual(printed.bytes)
      const after = await issue(world, dressed)
      expect(readText((await dressed.get(pdfPath(after.id))).bytes)).toContain('Segundo pie')
    })

    it('200 prints anew what was signed anew', async () => {
      const { id } = await issue(world, issuer)
      const before = await issuer.get(pdfPath(id))
      const other = await issue(world, issuer)
      await world.db.sql`update document_xml set xml = ${other.xml} where document_id = ${id}`
      expect((await issuer.get(pdfPath(id))).bytes).not.toEqual(before.bytes)
    })

    it('200 prints the resolución of the empresa where it has one', async () => {
      const own = await openIssuer(world, { empresa: { resolucion: { numero: 80, fecha: '2014-08-22' } } })
      const { id } = await issue(world, own)
      expect(readText((await own.get(pdfPath(id))).bytes)).toContain('Res. 80 de 2014')
    })
  })
})
