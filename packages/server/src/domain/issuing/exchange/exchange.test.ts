import { parseXml, readEnvelope, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue as emitted, journal, told, types } from '../../../../test/support/document-emission.ts'
import { openPost, type Post, RECEPTOR_RUT, readLetter } from '../../../../test/support/document-mailer.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import { BOLETA, FACTURA, type Issuer } from '../../../../test/support/issuer.ts'
import { signerOf } from '../../../../test/support/signed-document.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { until } from '../../../../test/support/until.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { REAL_TIME } from '../../../kernel/clock.ts'
import { findDocument } from '../document/read.ts'
import type { DocumentRow } from '../document/show.ts'
import { exchangeAccepted } from './request.ts'

const live_sii = { ...unconnectedSii(), signerFor: async () => signerOf('12345678-5') }
/** Lists are written here behind the back of whoever would tell the cache. */
const UNCACHED: Pick<Cache, 'get'> = { get: (_, load) => load() }
const MAILBOX = 'dte@cliente.cl'
let post: Post
let live: Issuer
beforeAll(async () => {
  post = await openPost({ live_sii })
  live = await post.issuer()
  const { sql } = post.world.db
  await sql`update empresa set resolucion_numero = 80, resolucion_fecha = '2014-08-22' where id = ${live.empresa_id}`
})
afterAll(() => post.close())

/** The list of the SII, with one mailbox for each RUT. */
async function listMailboxes(mailboxes: Readonly<Record<string, string>>): Promise<void> {
  const { sql } = post.world.db
  await sql`
    insert into nomina_load (dataset, published_at, loaded_at, row_count, refused_count)
    values ('mailboxes', now(), now(), 1, 0) on conflict do nothing`
  await sql`delete from contribuyente_mailbox`
  for (const [rut, email] of Object.entries(mailboxes)) {
    await sql`insert into contribuyente_mailbox (rut, email) values (${Number(rut.slice(0, -2))}, ${email})`
  }
}

/** An accepted document of the live empresa, as its settlement hands it over. */
async function accepted(known?: string): Promise<string> {
  const id = known ?? (await issue(post.world, live)).id
  const scope = { account_id: live.account, empresa_id: live.empresa_id, mode: 'live', rut: live.rut } as const
  const row = (await findDocument(post.world.db.sql, scope, id)) as DocumentRow
  await post.world.app.transactor.transact({ ...scope, clock: REAL_TIME }, (sql, unit) =>
    exchangeAccepted({ sql, cache: UNCACHED, enqueue: unit.enqueue.bind(unit, sql) }, scope, [row]),
  )
  return id
}
const read = async (id: string) => (await live.get(`/v1/documents/${id}`)).body
const ended = (id: string) =>
  until(`the exchange of ${id}`, async () => {
    const { exchange } = await read(id)
    return exchange.status !== null && exchange
  })

describe('an accepted document', () => {
  it('goes nowhere, and says nothing, while no list of mailboxes is loaded', async () => {
    const id = await accepted()
    expect((await read(id)).exchange).toEqual({ status: null, to: null, reason: null, sent_at: null })
    const jobs = await post.world.db.sql`select 1 from job where name = 'document.exchange'`
    expect(jobs).toEqual([])
  })

  it('goes to the mailbox of its receptor as a signed envelope addressed to it, once', async () => {
    await listMailboxes({ [RECEPTOR_RUT]: ` ${MAILBOX.toUpperCase()}` })
    const id = await accepted()
    expect(await ended(id)).toMatchObject({ status: 'sent', to: MAILBOX, reason: null, sent_at: expect.any(String) })
    // Asked for again, or run again after a crash, it finds that it was sent.
    await accepted(id)
    await until('the second one', async () => {
      const left = await post.world.db.sql`select 1 from job where name = 'document.exchange'`
      return left.length === 0
    })
    const letters = post.lettersTo(MAILBOX)
    expect(letters).toHaveLength(1)
    const letter = await readLetter(letters[0])
    expect(letter.subject).toContain('Envío de DTE: Factura electrónica')
    expect(letter.replyTo?.[0]?.address).toBe(`${live.rut}@recepcion.timbre.test`)
    const [file] = letter.attachments
    const bytes = Buffer.from(file?.content as ArrayBuffer)
    const { folio } = await read(id)
    expect([letter.attachments.length, file?.filename]).toEqual([1, `EnvioDTE-${live.rut}-T33-F${folio}.xml`])
    const envelope = readEnvelope(bytes)
    if (!envelope.ok) throw new Error(envelope.refusal.message)
    expect(envelope.value).toMatchObject({
      kind: 'EnvioDTE',
      caratula: { rut_emisor: live.rut, rut_receptor: RECEPTOR_RUT, resolution_number: 80 },
      documents: [{ ok: true, value: { dte: { folio } } }],
    })
    const parsed = parseXml(bytes)
    const checked = parsed.ok && verifySignatures(parsed.value)
    expect(checked && 'value' in checked && checked.value.map(({ refusal }) => refusal)).toEqual([null, null])
    const events = (await told(post.world, id)).slice(-1)
    expect(events).toMatchObject([{ type: 'document.exchange_sent', data: { detail: { to: MAILBOX } } }])
    expect(types(await journal(live, id))).toEqual(['document.exchange_sent'])
    // A person gets the same envelope beside the PDF and the XML.
    await post.sendToTheEnd(live, id, { to: 'ana@cliente.cl' })
    const personal = await readLetter(post.lettersTo('ana@cliente.cl')[0])
    expect(personal.text).toContain('en tres archivos')
    const name = `${live.rut}-T33-F${folio}`
    expect(personal.attachments.map(({ filename }) => filename)).toEqual([
      `${name}.pdf`,
      `${name}.xml`,
      `EnvioDTE-${name}.xml`,
    ])
    expect(Buffer.from(personal.attachments[2]?.content as ArrayBuffer)).toEqual(bytes)
  })

  it('stands whatever comes of it: a mailbox that refuses, one that is away to the last, or none', async () => {
    post.smtp.refuse('lleno@cliente.cl', 550)
    await listMailboxes({ [RECEPTOR_RUT]: 'lleno@cliente.cl' })
    const refused = await accepted()
    expect(await ended(refused)).toMatchObject({ status: 'failed', to: 'lleno@cliente.cl', reason: 'refused' })
    await listMailboxes({ [RECEPTOR_RUT]: 'no tiene' })
    const unaddressed = await accepted()
    expect(await ended(unaddressed)).toEqual({ status: 'no_address', to: null, reason: null, sent_at: null })
    post.smtp.refuse('lento@cliente.cl', 451)
    await listMailboxes({ [RECEPTOR_RUT]: 'lento@cliente.cl' })
    const away = await accepted()
    await until('a first try', async () => {
      const [job] = await post.world.db.sql`
        update job set attempts = max_attempts - 1, run_at = now(), parked = false
        where name = 'document.exchange' and status = 'queued' and attempts > 0 returning 1`
      return job !== undefined
    })
    post.world.app.worker.wake()
    expect(await ended(away)).toMatchObject({ status: 'failed', reason: 'undeliverable' })
    for (const [id, reason] of [
      [refused, 'refused'],
      [unaddressed, 'no_address'],
      [away, 'undeliverable'],
    ] as const) {
      expect((await read(id)).status).toBe('accepted')
      const events = await told(post.world, id)
      expect(events).toMatchObject([{ type: 'document.exchange_failed', data: { detail: { reason } } }])
    }
  })

  it('is sent by the settlement itself unless the empresa turned it off; a boleta never is', async () => {
    await listMailboxes({ [RECEPTOR_RUT]: MAILBOX })
    const sandbox = await post.issuer({ mode: 'test' })
    const { id } = (await emitted(sandbox, FACTURA)).body
    await until('its exchange', async () => (await sandbox.get(`/v1/documents/${id}`)).body.exchange.status === 'sent')
    await post.world.patch(`/v1/empresas/${sandbox.empresa_id}/automation_settings`, {
      key: sandbox.key,
      body: { exchange_documents_on_acceptance: false },
    })
    const silent = [(await emitted(sandbox, FACTURA)).body.id, (await emitted(sandbox, BOLETA)).body.id]
    const jobs = await post.world.db.sql<{ payload: { document_id: string } }>`
      select payload from job where name = 'document.exchange'`
    expect(jobs.filter(({ payload }) => silent.includes(payload.document_id))).toEqual([])
    for (const each of silent)
      expect((await sandbox.get(`/v1/documents/${each}`)).body.exchange).toMatchObject({ status: null })
    // A sandbox writes to no stranger: only the live letters got here.
    expect(post.lettersTo(MAILBOX)).toHaveLength(1)
  })
})
