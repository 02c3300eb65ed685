import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FACTURA, openIssuer } from '../../../../test/support/issuer.ts'
import { AUTHORITY_KEYS } from '../../../../test/support/signed-document.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { MAIL_SOURCES } from '../../../catalog/limits.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/id.ts'
import { localRateLimiter, type Window } from '../../../kernel/rate-limit.ts'
import { mailReceiver } from '../../../worker/receive-mail.ts'
import { cleanUpReception } from './mail-sources.ts'

const live_sii = { ...unconnectedSii(), authorityKeys: async () => AUTHORITY_KEYS }
let world: World
beforeAll(async () => {
  world = await openWorld({ live_sii })
})
afterAll(() => world.close())

/** Where `scale` is given, a minute holds that many times less. */
function receiverOf({ db, app }: World, scale = 1) {
  const local = localRateLimiter()
  onTestFinished(() => local.close())
  const take = (windows: readonly Window[]) =>
    local.take(windows.map((one) => ({ ...one, max: Math.floor(one.max / scale) })))
  const limiter = { ...local, take }
  return mailReceiver({ sql: db.sql, transactor: app.transactor, limiter })
}
const live = (at = world) => openIssuer(at, { mode: 'live' })
type Live = Awaited<ReturnType<typeof live>>
const mailboxOf = ({ rut }: Live) => `${rut}@recepcion.timbre.test`

/** Mails of an empresa that wait or wasted our time, as if they had come. */
async function insertMails(
  { account, empresa_id }: Live,
  mail: {
    count?: number
    address?: string
    sender?: string
    wasted_ms?: number
    wasted_bytes?: number
    age_hours?: number
  },
): Promise<void> {
  const { count = 1, wasted_ms = 0, wasted_bytes = 0, age_hours = 0 } = mail
  const received_at = new Date(systemNow() - age_hours * 3_600_000)
  const taken_in_at = wasted_ms > 0 ? received_at : null
  const ids = Array.from({ length: count }, () => newId('reception_mail'))
  await world.db.sql`
    insert into reception_mail (account_id, empresa_id, mode, id, sender, address, received_at, taken_in_at, wasted_ms,
      wasted_bytes)
    select ${account}, ${empresa_id}, 'live', unnest(${ids}::text[]), ${mail.sender ?? null}, ${mail.address ?? null},
      ${received_at}, ${taken_in_at}, ${wasted_ms}, ${wasted_bytes}`
}

describe('what one source of mail may have us do', () => {
  it('is counted by its address and by whom it says it is: what waits, what was wasted, for an hour', async () => {
    const receiver = receiverOf(world)
    const empresa = await live()
    const { waiting, wasted_ms, wasted_bytes } = MAIL_SOURCES.address
    await insertMails(empresa, { address: '192.0.2.1', sender: 'bomba@x.cl', wasted_ms })
    await insertMails(empresa, { address: '192.0.2.2', wasted_ms: 1, wasted_bytes })
    await insertMails(empresa, { address: '192.0.2.3', count: waiting })
    await insertMails(empresa, { address: '192.0.2.4', wasted_ms, age_hours: 2 })
    const hear = (address: string, from: string | null = null) => receiver.hear({ address, from })
    expect(await hear('192.0.2.1')).toContain('your address')
    expect(await hear('192.0.2.2')).toContain('your address')
    expect(await hear('192.0.2.3')).toContain('wait to be read')
    expect(await hear('192.0.2.9', 'bomba@x.cl')).toContain('this sender')
    expect([await hear('192.0.2.4'), await hear('192.0.2.9'), await hear('192.0.2.9', 'otro@x.cl')]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('is counted by the mailbox it writes to, and no other mailbox pays for it', async () => {
    const receiver = receiverOf(world)
    const [flooded, other] = [await live(), await live()]
    await insertMails(flooded, { count: MAIL_SOURCES.mailbox.waiting })
    expect(await receiver.accepts(mailboxOf(flooded))).toMatchObject({ busy: expect.stringContaining('this mailbox') })
    expect(await receiver.accepts(mailboxOf(other))).toBe(true)
    expect(await receiver.accepts('76192083-9@recepcion.timbre.test')).toBe(false)
  })

  it('is counted by the minute too: for an address what it begins, for a sender and a mailbox what came', async () => {
    const { mailbox, sender, address } = MAIL_SOURCES
    const receiver = receiverOf(world, 40)
    const [flooded, other] = [mailboxOf(await live()), mailboxOf(await live())]
    let sent = 0
    const send = (from: string | null, ...to: string[]) =>
      receiver.receive({ to, from, address: `192.0.2.${sent++}`, raw: Buffer.from('Subject: x\r\n\r\nx') })
    for (let i = 0; i < 20; i++) {
      expect(await receiver.accepts(flooded)).toBe(true)
      expect(await receiver.hear({ address: `198.51.100.${i}`, from: 'masivo@x.cl' })).toBeNull()
    }
    for (let i = 0; i < sender.mails_per_minute / 40; i++) expect(await send('masivo@x.cl', other)).toBeNull()
    expect(await send('masivo@x.cl', other)).toContain('Too many mails a minute')
    // Named twice in one mail, it came once.
    for (let i = 0; i < Math.floor(mailbox.mails_per_minute / 40); i++)
      expect(await send(null, flooded, flooded.toLowerCase())).toBeNull()
    expect(await send(null, flooded)).toContain('Too many mails a minute')
    expect(await send(null, other)).toBeNull()
    const hear = () => receiver.hear({ address: '203.0.113.1', from: null })
    for (let i = 0; i < address.mails_per_minute / 40; i++) expect(await hear()).toBeNull()
    expect(await hear()).toContain('Too many mails a minute')
  })

  it('is what a mail took to read when something in it was nobody’s document, and its bytes', async () => {
    const receiver = receiverOf(world)
    const empresa = await live()
    const raw = Buffer.from('Subject: hola\r\n\r\nnada')
    await receiver.receive({ to: [mailboxOf(empresa)], from: 'a@b.cl', address: '192.0.2.77', raw })
    const kept = () => world.db.sql<{ wasted_ms: number; wasted_bytes: number }>`
      select wasted_ms, wasted_bytes from reception_mail where address = '192.0.2.77' and taken_in_at is not null`
    await expect.poll(async () => (await kept()).length).toBe(1)
    const [mail] = await kept()
    expect(mail).toEqual({ wasted_ms: expect.any(Number), wasted_bytes: raw.length })
    expect(mail?.wasted_ms).toBeGreaterThan(0)
  })
})

describe('mails that are read for ever', () => {
  it('hold up nothing but mails: a document is issued all the same', async () => {
    const never = new Promise<never>(() => undefined)
    const stuck = await openWorld({
      live_sii,
      inspection: { inspect: () => never, inspectMail: () => never, close: async () => undefined },
    })
    onTestFinished(() => stuck.close())
    const receiver = receiverOf(stuck)
    const empresas = await Promise.all([live(stuck), live(stuck), live(stuck)])
    for (const empresa of empresas)
      for (let i = 0; i < 8; i++)
        await receiver.receive({ to: [mailboxOf(empresa)], from: null, address: '192.0.2.1', raw: Buffer.from('x') })
    const running = () => stuck.db.sql`select id from job where name = 'reception.take_mail' and status = 'running'`
    // One of each mailbox, and a slot is free for the next account.
    await expect.poll(async () => (await running()).length).toBe(3)
    const issuer = await openIssuer(stuck)
    const { body } = await issuer.create(FACTURA)
    await expect.poll(async () => (await issuer.get(`/v1/documents/${body.id}`)).body.status).toBe('accepted')
  })
})

describe('what was set aside', () => {
  it('says how long its bytes are kept, and keeps the facts for good', async () => {
    const receiver = receiverOf(world)
    const empresa = await live()
    const send = (text: string) =>
      receiver.receive({ to: [mailboxOf(empresa)], from: 'a@b.cl', address: '192.0.2.8', raw: Buffer.from(text) })
    await send('Subject: nada\r\n\r\nnada')
    await send('Content-Type: application/xml\r\nContent-Disposition: attachment\r\n\r\n<RespuestaDTE/>\r\n')
    const rows = () => world.db.sql<{ reason: string; kept: boolean; sender: string }>`
      select reason, raw is not null as kept, sender from reception_quarantine
      where empresa_id = ${empresa.empresa_id} order by reason`
    await expect.poll(async () => (await rows()).length).toBe(2)
    const key = await world.key(empresa.account, { mode: 'live' })
    const { body } = await world.get('/v1/events?type=reception.quarantined', { key })
    const { received_at, quarantine } = body.data[0].data.object
    expect(quarantine.bytes_kept_until).toBe(daysFrom(new Date(received_at), 30).toISOString())

    await cleanUpReception(world.db.sql, daysFrom(new Date(systemNow()), 29))
    expect((await rows()).map(({ kept }) => kept)).toEqual([true, true])
    await cleanUpReception(world.db.sql, daysFrom(new Date(systemNow()), 31))
    expect(await rows()).toEqual([
      { reason: 'exchange_answer', kept: true, sender: 'a@b.cl' },
      { reason: 'no_document', kept: false, sender: 'a@b.cl' },
    ])
    const [mail] = await world.db.sql<{ address: string | null }>`
      select address from reception_mail where empresa_id = ${empresa.empresa_id} limit 1`
    expect(mail?.address).toBeNull()
  })
})
