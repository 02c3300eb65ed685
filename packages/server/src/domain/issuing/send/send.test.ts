import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headingOf } from '../../../../test/support/document-emission.ts'
import { openPost, type Post, RECEPTOR_RUT, readLetter } from '../../../../test/support/document-mailer.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'

const codeOf = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]

let post: Post
let live: Issuer
beforeAll(async () => {
  post = await openPost()
  live = await post.issuer({ empresa: { contact_email: 'ventas@vina.cl' } })
})
afterAll(() => post.close())

describe('POST /documents/{document_id}/send', () => {
  it('202 mails the document, its PDF and its XML, for the empresa, and answers with the job', async () => {
    const { id, folio, xml } = await issue(post.world, live)
    const sent = await post.send(live, id, { to: 'Ana@Cliente.cl', message: 'Gracias por tu compra.\n¡Hasta pronto!' })
    expect([sent.status, sent.body]).toMatchObject([202, { object: 'job', type: 'document_send', status: 'queued' }])
    const told = await post.rested(live, sent.body.id)
    expect(told).toMatchObject({
      status: 'succeeded',
      result: { document_id: id, recipients: [{ to: 'ana@cliente.cl', sent: true, reason: null }] },
    })
    const [raw] = post.lettersTo('ana@cliente.cl')
    const letter = await readLetter(raw)
    expect(letter.from).toMatchObject({ name: 'Viña y Bodegas Peñalolén SpA', address: 'no-responder@timbre.cl' })
    expect(letter.replyTo?.map(({ address }) => address)).toEqual(['ventas@vina.cl'])
    expect(letter.subject).toBe(`Factura electrónica N° ${folio} de Viña y Bodegas Peñalolén SpA`)
    for (const said of ['Gracias por tu compra.', '10 de noviembre de 2026', '$ 2.823.156', 'RUT: ']) {
      expect(letter.text).toContain(said)
    }
    expect(letter.text).not.toContain('prueba')
    const pdf = await live.get(`/v1/documents/${id}/pdf`)
    const [page, file] = letter.attachments
    expect([page?.filename, page?.mimeType]).toEqual([`${live.rut}-T33-F${folio}.pdf`, 'application/pdf'])
    expect(Buffer.from(page?.content as ArrayBuffer)).toEqual(pdf.bytes)
    expect([file?.filename, file?.mimeType]).toEqual([`${live.rut}-T33-F${folio}.xml`, 'application/xml'])
    expect(Buffer.from(file?.content as ArrayBuffer).subarray(-xml.length)).toEqual(xml)
  })

  it('202 tells of each letter with the document as it stands, and records what was used', async () => {
    const { id } = await issue(post.world, live)
    await post.sendToTheEnd(live, id, { to: ['uno@cliente.cl', 'UNO@cliente.cl', 'dos@cliente.cl'] })
    const events = await post.told(live, id)
    expect(events.map(({ type }) => type)).toEqual(['document.emailed', 'document.emailed'])
    expect(events.map(({ detail }) => (detail as { to: string }).to)).toEqual(['uno@cliente.cl', 'dos@cliente.cl'])
    expect(events[0]?.object).toEqual(JSON.parse(headingOf(await live.get(`/v1/documents/${id}`))))
    const [usage] = await post.world.db.sql<{ count: number }>`
      select count(*) as count from usage_record where kind = 'document_emailed' and subject_id = ${id}`
    expect(usage?.count).toBe(2)
  })

  it('202 without `to` goes to the e-mail on the document, or else to the contacts that want mail, primary first', async () => {
    const issuer = await post.issuer()
    await post.addContact(issuer, { email: 'vieja@cliente.cl', opted_out: true })
    await post.addContact(issuer, { email: 'segunda@cliente.cl' })
    await post.addContact(issuer, { email: 'primera@cliente.cl', primary: true })
    const receptor = (email?: string) => ({
      draft: {
        receptor: {
          rut: RECEPTOR_RUT,
          legal_name: 'Cliente',
          giro: 'x',
          address: { street: 'a', comuna: 'b' },
          ...(email && { email }),
        },
      },
    })
    const to = async (email?: string) => {
      const { id } = await issue(post.world, issuer, receptor(email))
      const { result } = await post.sendToTheEnd(issuer, id)
      return result?.recipients.map((recipient) => recipient.to)
    }
    expect(await to('propio@cliente.cl')).toEqual(['propio@cliente.cl'])
    expect(await to()).toEqual(['primera@cliente.cl', 'segunda@cliente.cl'])
    expect(await to('Vieja@Cliente.cl')).toEqual(['primera@cliente.cl', 'segunda@cliente.cl'])
    expect(post.lettersTo('vieja@cliente.cl')).toEqual([])
  })

  it('422 recipient_missing when nobody is known, also for a boleta to nobody', async () => {
    const issuer = await post.issuer()
    const { id } = await issue(post.world, issuer)
    const boleta = await issue(post.world, issuer, { tipo_dte: 39, draft: { receptor: { rut: '66666666-6' } } })
    for (const one of [id, boleta.id]) {
      const sent = await post.send(issuer, one)
      expect([...codeOf(sent), sent.body.error.param]).toEqual([422, 'recipient_missing', 'to'])
    }
  })

  it('422 recipient_opted_out names the address that wants no mail, and nobody gets any', async () => {
    const issuer = await post.issuer()
    await post.addContact(issuer, { email: 'no@cliente.cl', opted_out: true })
    const { id } = await issue(post.world, issuer)
    for (const [body, param] of [
      [{ to: 'NO@cliente.cl' }, 'to'],
      [{ to: ['si@cliente.cl', 'no@cliente.cl'] }, 'to[1]'],
      [{}, 'to'],
    ] as const) {
      const sent = await post.send(issuer, id, body)
      expect([...codeOf(sent), sent.body.error.param]).toEqual([422, 'recipient_opted_out', param])
    }
    expect(post.lettersTo('si@cliente.cl')).toEqual([])
  })

  it('409 document_not_sendable for what has no force, or has lost it', async () => {
    for (const status of ['queued', 'failed', 'rejected', 'annulled'] as const) {
      const { id } = await issue(post.world, live, { status })
      const sent = await post.send(live, id, { to: 'ana@cliente.cl' })
      expect([...codeOf(sent), sent.body.error.details]).toEqual([409, 'document_not_sendable', { status }])
    }
    for (const status of ['sent', 'reparo'] as const) {
      const { id } = await issue(post.world, live, { status })
      expect((await post.sendToTheEnd(live, id, { to: 'ana@cliente.cl' })).status).toBe('succeeded')
    }
  })

  it('404 document_not_found for a document of another empresa', async () => {
    const { id } = await issue(post.world, await post.issuer())
    expect(codeOf(await post.send(live, id, { to: 'ana@cliente.cl' }))).toEqual([404, 'document_not_found'])
  })

  it('402 subscription_required for a live empresa that does not pay', async () => {
    const poor = await openIssuer(post.world, { mode: 'live' })
    const { id } = await issue(post.world, poor)
    expect(codeOf(await post.send(poor, id, { to: 'ana@cliente.cl' }))).toEqual([402, 'subscription_required'])
  })

  it('400 invalid_field for what is no address, for none and for more than ten', async () => {
    const { id } = await issue(post.world, live)
    const many = Array.from({ length: 11 }, (_, i) => `c${i}@cliente.cl`)
    for (const [to, param] of [
      ['ana', 'to'],
      [['ana@cliente.cl', 'ana'], 'to[1]'],
      [[], 'to'],
      [many, 'to'],
      [7, 'to'],
    ] as const) {
      const sent = await post.send(live, id, { to })
      expect([...codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', param])
    }
  })
})
