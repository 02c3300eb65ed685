import type { AnsweredDte } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { journal, told as toldOf, types } from '../../../../test/support/document-emission.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import {
  mailWith,
  recepcionFile,
  recibosFile,
  refusedEnvelopeFile,
  resultadoFile,
} from '../../../../test/support/receptor-answer.ts'
import { AUTHORITY_KEYS, SIGNER, signerOf, TEST_CA } from '../../../../test/support/signed-document.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { localRateLimiter } from '../../../kernel/rate-limit.ts'
import { mailReceiver } from '../../../worker/receive-mail.ts'

// The factura of `sampleDraft`: 40 × 54,900 + 24 × 7,350 = 2,372,400 net; IVA 19 % = 450,756; total 2,823,156.
const TOTAL = 2_823_156
const RECEPTOR_RUT = '77123456-9'

const live_sii = {
  ...unconnectedSii(),
  authorityKeys: async () => AUTHORITY_KEYS,
  certificateAuthorities: async () => TEST_CA,
}
const limiter = localRateLimiter()
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ live_sii })
  issuer = await openIssuer(world, {
    mode: 'live',
    scopes: ['documents:read', 'webhooks:read'],
    account: await world.account({ plan: 'house' }),
  })
})
afterAll(async () => {
  await limiter.close()
  await world.close()
})

async function factura(status?: 'rejected'): Promise<AnsweredDte & { readonly id: string }> {
  const { id, folio } = await issue(world, issuer, status ? { status } : {})
  const issue_date = '2026-11-10'
  return { id, tipo_dte: 33, folio, issue_date, emisor_rut: issuer.rut, receptor_rut: RECEPTOR_RUT, total: TOTAL }
}

const state = async (id: string) => (await issuer.get(`/v1/documents/${id}`)).body.receptor_response

/** Mails a file to the mailbox of the empresa and waits until it was read. Gives why it was set aside, if it was. */
async function receive(...files: readonly Buffer[]): Promise<string[]> {
  const { sql } = world.db
  const [before] = await sql<{ id: string }>`select coalesce(max(id), '') as id from reception_quarantine`
  const receiver = mailReceiver({ sql, transactor: world.app.transactor, limiter })
  for (const file of files) {
    const to = [`${issuer.rut}@recepcion.timbre.test`]
    expect(await receiver.receive({ to, from: 'dte@cliente.cl', address: '192.0.2.1', raw: mailWith(file) })).toBeNull()
  }
  world.app.worker.wake()
  await expect.poll(async () => (await sql`select 1 from reception_mail where taken_in_at is null`).length).toBe(0)
  const rows = await sql<{ reason: string; message: string }>`
    select reason, message from reception_quarantine where id > ${before?.id} order by id`
  for (const { reason } of rows) expect(reason).toBe('exchange_answer')
  return rows.map(({ message }) => message)
}

const told = (id: string) => toldOf(world, id)

describe('an answer of the receptor that comes by mail', () => {
  it('shows on the document: it arrived, the goods did, it is accepted; each with its event', async () => {
    const dte = await factura()
    expect(await receive(await recepcionFile(dte), await recibosFile(dte), await resultadoFile([[dte, 0]]))).toEqual([])
    expect(await state(dte.id)).toMatchObject({
      status: 'accepted',
      basis: 'verified',
      delivered_at: expect.any(String),
      receipt_acknowledged_at: expect.any(String),
      answers: [
        { source: 'mail', action: 'delivered', signature: 'verified', signer_rut: RECEPTOR_RUT },
        { action: 'receipt_acknowledged', reason: 'Bodega Quilicura' },
        { action: 'accepted', code: null, reason: 'ACEPTADO OK' },
      ],
    })
    const events = await told(dte.id)
    expect(types(events)).toEqual([
      'document.delivered',
      'document.receipt_acknowledged',
      'document.accepted_by_receptor',
    ])
    expect(events[2]?.data).toMatchObject({
      previous_attributes: { receptor_response: { status: null } },
      detail: { source: 'mail', action: 'accepted', signature: 'verified' },
    })
    expect(types(await journal(issuer, dte.id))).toEqual(types(events))
    const kept = await world.db.sql<{
      kind: string
    }>`select kind from exchange_answer where empresa_id = ${issuer.empresa_id} order by id`
    expect(kept.map(({ kind }) => kind)).toEqual(['recepcion_envio', 'envio_recibos', 'resultado_dte'])
    // The same mail again: nothing is told twice, and nothing is set aside.
    expect(await receive(await resultadoFile([[dte, 0]]))).toEqual([])
    expect(await told(dte.id)).toHaveLength(3)
  })

  it('claims it, with the reason it gives, and keeps the verdict on a signer whom nobody vouches for', async () => {
    const dte = await factura()
    expect(await receive(await resultadoFile([[dte, 2]], { signer: SIGNER }))).toEqual([])
    expect(await state(dte.id)).toMatchObject({
      status: 'claimed',
      basis: 'unproven',
      answers: [{ signature: 'unproven', reason: 'Precio distinto al de la orden de compra' }],
    })
    expect(types(await told(dte.id))).toEqual(['document.claimed'])
    // Better proven, it counts more; and no worse one takes it back.
    await receive(await resultadoFile([[dte, 2]]))
    expect(await state(dte.id)).toMatchObject({ status: 'claimed', basis: 'verified' })
    expect(await receive(await resultadoFile([[dte, 0]], { signer: SIGNER }))).toEqual([
      expect.stringContaining('The opposite of tipo 33'),
    ])
    expect(await state(dte.id)).toMatchObject({ status: 'claimed', basis: 'verified' })
  })

  it('moves nothing, and is kept, when it is forged or speaks of something else', async () => {
    const [dte, other, refused] = [await factura(), await factura(), await factura('rejected')]
    const stranger = '76543210-3'
    const text = (await resultadoFile([[dte, 2]])).toString('latin1')
    const unsigned = text.replace(/<Signature[\s\S]*<\/Signature>/, '')
    const expired = signerOf(RECEPTOR_RUT, { valid_until: new Date('2026-11-11T00:00:00Z') })
    const files: [Buffer, string][] = [
      [Buffer.from(unsigned, 'latin1'), 'is not signed'],
      [Buffer.from(text.replace('<EstadoDTE>2<', '<EstadoDTE>0<'), 'latin1'), 'changed after it was signed'],
      [await resultadoFile([[dte, 2]], { signer: expired }), 'certificate was not valid'],
      [await resultadoFile([[dte, 2]], { responde_rut: stranger }), 'It speaks of tipo 33'],
      [await resultadoFile([[{ ...dte, receptor_rut: stranger }, 2]]), 'Nothing here is tipo 33'],
      [await resultadoFile([[{ ...dte, emisor_rut: stranger }, 2]], { recibe_rut: issuer.rut }), 'It speaks of'],
      [await resultadoFile([[dte, 2]], { recibe_rut: stranger }), 'It answers 76543210-3'],
      [await resultadoFile([[{ ...dte, folio: 999_999 }, 2]]), 'folio 999999'],
      [await resultadoFile([[{ ...dte, total: TOTAL - 1 }, 2]]), `for ${TOTAL - 1}`],
      [await resultadoFile([[{ ...dte, issue_date: '2026-11-09' }, 2]]), 'of 2026-11-09'],
      [await resultadoFile([[dte, 0], [dte, 2]]), 'two things of tipo 33'], // biome-ignore format: one file a line
      [await resultadoFile([[refused, 0]]), 'Nothing here is'],
    ]
    expect(await receive(...files.map(([file]) => file))).toEqual(files.map(([, why]) => expect.stringContaining(why)))
    for (const { id } of [dte, refused]) expect(await state(id)).toMatchObject({ status: null, answers: [] })
    // Beside a line that moves nothing the others count, and the file is kept.
    expect(await receive(await resultadoFile([[other, 0], [{ ...dte, total: 1 }, 2]]))).toHaveLength(1) // biome-ignore format: two lines of one file
    expect([(await state(other.id)).status, (await state(dte.id)).status]).toEqual(['accepted', null])
    expect(await told(dte.id)).toEqual([])
  })

  it('that refuses the envelope as a whole is of the document in it, when it knows the envelope', async () => {
    const dte = await factura()
    const file_name = `EnvioDTE-${issuer.rut}-T33-F${dte.folio}.xml`
    const envelope = Buffer.from('<EnvioDTE><DigestValue>c2VsbG8=</DigestValue></EnvioDTE>')
    await world.db.sql`
      insert into document_envelope (account_id, empresa_id, mode, document_id, xml)
      values (${issuer.account}, ${issuer.empresa_id}, 'live', ${dte.id}, ${envelope})`
    const guessed = await receive(
      await refusedEnvelopeFile(dte, { file_name, digest: 'b3Rybw==' }),
      await refusedEnvelopeFile(dte, { file_name: 'envio.xml', digest: 'c2VsbG8=' }),
      await refusedEnvelopeFile(dte, { file_name, digest: 'c2VsbG8=' }, { responde_rut: '76543210-3' }),
    )
    expect(guessed).toEqual([0, 1, 2].map(() => expect.stringContaining('Nothing here is the envelope')))
    expect((await state(dte.id)).answers).toEqual([])
    expect(await receive(await refusedEnvelopeFile(dte, { file_name, digest: 'c2VsbG8=' }))).toEqual([])
    expect(await state(dte.id)).toMatchObject({
      status: null,
      delivered_at: null,
      answers: [{ action: 'not_delivered', reason: 'Envío Rechazado - RUT Receptor No Corresponde' }],
    })
    expect(types(await told(dte.id))).toEqual(['document.delivery_refused'])
  })
})
