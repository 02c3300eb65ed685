import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIssuer } from '../../../../test/support/issuer.ts'
import { AUTHORITY_KEYS, SIGNER } from '../../../../test/support/signed-document.ts'
import { dteFile } from '../../../../test/support/supplier-file.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { localRateLimiter } from '../../../kernel/rate-limit.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { Sii } from '../../../ports/sii.ts'
import { mailReceiver } from '../../../worker/receive-mail.ts'
import { readingFor } from './inspection.ts'

const answers: { action: string; code: number }[] = []
const live_sii: Sii = {
  ...unconnectedSii(),
  authorityKeys: async () => AUTHORITY_KEYS,
  signerFor: async () => SIGNER,
  respondTo: async ({ action }) => ({
    code: answers.find((one) => one.action === action)?.code ?? 0,
    sentence: 'Palabras',
  }),
}
let world: World
beforeAll(async () => {
  world = await openWorld({
    live_sii,
    mail: { describe: 'refuses', send: () => Promise.reject(new MailRefused('550 no such mailbox')) },
  })
})
afterAll(() => world.close())

async function mailed(from: string | null, issue_date = '2026-11-10') {
  const empresa = await openIssuer(world, { mode: 'live' })
  const receiver = mailReceiver({ sql: world.db.sql, transactor: world.app.transactor, limiter: localRateLimiter() })
  const file = dteFile(empresa.rut, 3, { issue_date }).toString('base64')
  const raw = Buffer.from(
    `Content-Type: application/xml\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${file}\r\n`,
  )
  await receiver.receive({ to: [`${empresa.rut}@recepcion.timbre.test`], from, address: '192.0.2.1', raw })
  const key = await world.key(empresa.account, { mode: 'live' })
  const events = async (type: string) => (await world.get(`/v1/events?type=${type}`, { key })).body.data
  await expect.poll(async () => (await events('received_document.created')).length).toBe(1)
  const [{ data }] = await events('received_document.created')
  return { empresa, events, id: data.object.id as string }
}

describe('a live empresa', () => {
  it('believes no timbre of certification once it is in produccion, and a real one always', async () => {
    const { account, empresa_id, rut } = await openIssuer(world, { mode: 'live' })
    const [key] = Object.values(AUTHORITY_KEYS)
    const sii = { live: { ...live_sii, authorityKeys: async () => ({ 100: key, 300: key, 900: key }) } }
    const believed = async () => {
      const context = { sql: world.db.sql, ports: { sii } } as unknown as Parameters<typeof readingFor>[0]
      const { sii_keys } = await readingFor(context, { account_id: account, empresa_id, mode: 'live', rut })
      return Object.keys(sii_keys)
    }
    expect(await believed()).toEqual(['100', '300', '900'])
    await world.db.sql`update empresa set emitting_since = now(), certified_tipos = doc_types where id = ${empresa_id}`
    expect(await believed()).toEqual(['300', '900'])
  })

  it('is told reception.acuse_failed when nobody takes the answer, or there is nobody to answer to', async () => {
    for (const [from, reason] of [
      ['dte@proveedor.cl', 'refused'],
      [null, 'no_address'],
    ] as const) {
      const { events } = await mailed(from)
      await expect.poll(async () => (await events('reception.acuse_failed')).length).toBe(1)
      expect((await events('reception.acuse_failed'))[0].data.detail).toMatchObject({ reason, to: from })
    }
  })

  it('is warned at once of a document that comes with a day left to answer', async () => {
    const { events, id } = await mailed(null, '2025-05-10')
    type Told = { data: { object: { id: string }; detail: object } }
    const told = async () =>
      (await events('received_document.deadline_approaching')).map(({ data }: Told) => [data.object.id, data.detail])
    await expect.poll(told).toEqual([[id, { days_left: 1 }]])
  })

  it('takes the word of the SII over its own clock: what it still registers after silence is written down', async () => {
    const { empresa, id } = await mailed(null)
    await world.db
      .sql`update received_document set status = 'accepted_tacitly', receipt_status = 'presumed' where id = ${id}`
    const claimed = await empresa.post(`/v1/received_documents/${id}/reject`, { code: 'RFT' })
    expect([claimed.status, claimed.body.status, claimed.body.receipt.status]).toEqual([200, 'rejected', 'claimed'])
  })

  it('502 sii_unreachable when the SII says that it failed inside (-1), and any other word of it is a 409', async () => {
    const { empresa, id } = await mailed(null)
    const act = async (code: number) => {
      answers.splice(0, answers.length, { action: 'ACD', code })
      const sent = await empresa.post(`/v1/received_documents/${id}/accept`, {})
      return [sent.status, sent.body.error?.code ?? sent.body.status]
    }
    expect(await act(-1)).toEqual([502, 'sii_unreachable'])
    expect(await act(10)).toEqual([409, 'received_document_unknown_to_sii'])
    expect(await act(5)).toEqual([409, 'received_document_already_claimed'])
    expect(await act(14)).toEqual([409, 'received_document_not_answerable'])
    expect(await act(99)).toEqual([409, 'received_document_not_answerable'])
    expect(await act(7)).toEqual([200, 'accepted'])
  })

  it('is never asked for a subscription to answer', async () => {
    const { empresa, id } = await mailed(null)
    const [subscribed] = await world.db.sql`select 1 from subscription where empresa_id = ${empresa.empresa_id}`
    expect(subscribed).toBeUndefined()
    expect((await empresa.post(`/v1/received_documents/${id}/acknowledge_receipt`, {})).status).toBe(200)
  })
})
