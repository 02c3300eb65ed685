import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import { mailWith } from '../../../../test/support/receptor-answer.ts'
import { localRateLimiter } from '../../../kernel/rate-limit.ts'
import { mailReceiver } from '../../../worker/receive-mail.ts'

const FACTURA = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: [{ description: 'Resma de papel carta', quantity: 2, unit_price: 2500 }],
}
const FINDING = { code: 'DTE-3-505', glosa: 'Firma DTE Incorrecta' }

const limiter = localRateLimiter()
let live: LiveWorld
let empresa: LiveEmpresa
beforeAll(async () => {
  live = await openLiveWorld()
  empresa = await live.empresa({ folios: { 33: 10 } })
  const sii_mailbox = `${empresa.rut}@recepcion.timbre.test`
  await live.simulator.control('POST', '/control/taxpayers', { rut: empresa.rut, sii_mailbox })
})
afterAll(async () => {
  await limiter.close()
  await live.close()
})

const refuseNext = (more: object = {}) =>
  live.simulator.script({ door: '*', kind: 'refuse', finding: FINDING, ...more })
const mails = async (): Promise<{ attachment: { xml: string } }[]> =>
  (await live.simulator.control('GET', '/control/mails?limit=1000')).data

/** Mails a file to the mailbox of the empresa; gives why it was set aside, if it was. */
async function receive(xml: string): Promise<string[]> {
  const { sql } = live.world.db
  const [before] = await sql<{ id: string }>`select coalesce(max(id), '') as id from reception_quarantine`
  const receiver = mailReceiver({ sql, transactor: live.world.app.transactor, limiter })
  const to = [`${empresa.rut}@recepcion.timbre.test`]
  const raw = mailWith(Buffer.from(xml, 'latin1'))
  expect(await receiver.receive({ to, from: 'siidte@sii.cl', address: '192.0.2.1', raw })).toBeNull()
  await live.run()
  const rows = await sql<{ reason: string; message: string }>`
    select reason, message from reception_quarantine where id > ${before?.id} order by id`
  for (const { reason } of rows) expect(reason).toBe('exchange_answer')
  return rows.map(({ message }) => message)
}

interface Forged {
  readonly rut?: string
  readonly track_id: string
  readonly folio: number
  readonly estado?: string
}

/** Such a file, as anybody can write it. */
const written = ({ rut = empresa.rut, track_id, folio, estado = 'RCH - DTE Rechazado' }: Forged) =>
  `<?xml version="1.0" encoding="ISO-8859-1"?><RESULTADO_ENVIO><IDENTIFICACION><RUTEMISOR>${rut}</RUTEMISOR>` +
  `<RUTENVIA>12345678-5</RUTENVIA><TRACKID>${track_id}</TRACKID><TMSTRECEPCION>05/10/2026 12:06:50</TMSTRECEPCION>` +
  '<ESTADO>EPR - Envio Procesado</ESTADO></IDENTIFICACION><REVISIONENVIO><REVISIONDTE>' +
  `<FOLIO>${folio}</FOLIO><TIPODTE>33</TIPODTE><ESTADO>${estado}</ESTADO><DETALLE>(HED-3-861) Palabras</DETALLE>` +
  '</REVISIONDTE></REVISIONENVIO></RESULTADO_ENVIO>'

async function issued(): Promise<{ id: string; folio: number; track_id: string; status: string }> {
  const id = await empresa.issue(FACTURA)
  await live.advance(120)
  const { folio, status, sii } = await empresa.document(id)
  return { id, folio, status, track_id: sii.track_id }
}

const eventsOf = async (id: string) =>
  (await empresa.get(`/documents/${id}/events`)).body.data.map(({ type }: { type: string }) => type)

describe('the result e-mail of the SII', () => {
  it('says why a document was refused that the wire refused without a word: asked for again, and believed once', async () => {
    await refuseNext()
    const { id, status } = await issued()
    expect(status).toBe('rejected')
    const before = await empresa.document(id)
    expect(before.sii.glosa).not.toContain(FINDING.glosa)
    const sent = (await mails()).length
    await live.advance(1_000)
    expect(await mails()).toHaveLength(sent + 1)
    const xml = (await mails())[0]?.attachment.xml ?? ''
    expect(await receive(xml)).toEqual([])
    const after = await empresa.document(id)
    expect(after).toEqual({
      ...before,
      sii: { ...before.sii, glosa: after.sii.glosa, explanation: after.sii.explanation },
    })
    expect(after.sii.glosa).toContain(FINDING.glosa)
    expect(after.sii.explanation.code).toBe('signature_invalid')
    expect(await receive(xml)).toEqual([])
    expect((await eventsOf(id)).filter((type: string) => type === 'document.finding_received')).toHaveLength(1)
  })

  it('says what a reparo is about that the wire put without a word: asked for again once, and the document stays good', async () => {
    const finding = { code: 'HED-2-861', glosa: 'Acteco no registrado' }
    await live.simulator.script({ door: '*', kind: 'reparo', finding })
    const { id, status } = await issued()
    expect(status).toBe('reparo')
    const sent = (await mails()).length
    await live.advance(2_000)
    expect(await mails()).toHaveLength(sent + 1)
    expect(await receive((await mails())[0]?.attachment.xml ?? '')).toEqual([])
    const after = await empresa.document(id)
    expect([after.status, after.sii.explanation.code]).toEqual(['reparo', 'acteco_not_registered'])
    expect(after.sii.glosa).toContain(finding.glosa)
  })

  it('waits with a document that the SII has not answered about, and counts only if that refuses it', async () => {
    await live.simulator.script({ door: '*', kind: 'verdict_delay', ms: 3_600_000, times: 2 })
    const good = await issued()
    await refuseNext()
    const bad = await issued()
    for (const { track_id, folio, id, status } of [good, bad]) {
      expect(status).toBe('sent')
      const before = await empresa.document(id)
      expect(await receive(written({ track_id, folio }))).toEqual([])
      expect(await empresa.document(id)).toEqual(before)
    }
    const sent = (await mails()).length
    await live.advance(2 * 3_600)
    const [one, two] = [await empresa.document(good.id), await empresa.document(bad.id)]
    expect([one.status, one.sii.explanation]).toEqual(['accepted', null])
    expect(one.sii.glosa).not.toContain('Palabras')
    expect([two.status, two.sii.explanation.code]).toEqual(['rejected', 'acteco_not_registered'])
    // One result for each envelope, and none asked for again.
    expect(await mails()).toHaveLength(sent + 2)
  })

  it('comes to a document by every track id under which it was sent, and by its folio where the SII told none', async () => {
    await live.simulator.script({ door: '*', kind: 'vof' })
    const id = await empresa.issue(FACTURA)
    await live.run()
    const first = (await empresa.document(id)).sii.track_id
    await refuseNext()
    await live.advance(600)
    const { folio, status, sii } = await empresa.document(id)
    expect([status, sii.track_id === first]).toEqual(['rejected', false])
    const { sql } = live.world.db
    for (const track_id of [sii.track_id, first, '99']) {
      const answer = JSON.stringify({ glosa: 'Rechazado', explanation: null, has_finding: false })
      await sql`update document set sii_answer = ${answer}::json where id = ${id}`
      expect(await receive(written({ track_id, folio }))).toEqual([])
      expect((await empresa.document(id)).sii.glosa).toBe('Rechazado (HED-3-861) Palabras')
    }
  })

  it('forged, adds words at most to what the SII itself refused: no status moves, and nothing else is touched', async () => {
    const accepted = await issued()
    const before = await empresa.document(accepted.id)
    expect(before.status).toBe('accepted')
    expect(await receive(written(accepted))).toEqual([])
    expect(await receive(written({ ...accepted, estado: 'RPR - Reparo' }))).toEqual([])
    expect(await empresa.document(accepted.id)).toEqual(before)
    await refuseNext()
    const refused = await issued()
    const told = (await empresa.document(refused.id)).sii
    expect(await receive(written({ ...refused, rut: '76543210-3' }))).toEqual([expect.stringContaining('76543210-3')])
    expect(await receive(written({ ...refused, track_id: '99' }))).toEqual([expect.stringContaining('envelope 99')])
    expect(await receive(written({ ...refused, track_id: accepted.track_id }))).toEqual([])
    expect(await receive(written({ ...refused, estado: 'DTE Aceptado' }))).toEqual([])
    expect((await empresa.document(refused.id)).sii).toEqual(told)
    expect(await receive(written(refused))).toEqual([])
    const after = await empresa.document(refused.id)
    expect([after.status, after.sii.estado]).toEqual(['rejected', told.estado])
    expect(after.sii.glosa).toBe(`${told.glosa} (HED-3-861) Palabras`.trim())
  })
})
