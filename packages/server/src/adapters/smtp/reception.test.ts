import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openIssuer } from '../../../test/support/issuer.ts'
import { selfSigned } from '../../../test/support/self-signed-certificate.ts'
import { AUTHORITY_KEYS, SIGNER } from '../../../test/support/signed-document.ts'
import { dteFile, envelopeFile } from '../../../test/support/supplier-file.ts'
import { unconnectedSii } from '../../../test/support/unconnected-sii.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { zipOf } from '../../../test/support/zip-file.ts'
import { MAIL } from '../../catalog/limits.ts'
import { localRateLimiter, type RateLimiter } from '../../kernel/rate-limit.ts'
import type { Sii } from '../../ports/sii.ts'
import { mailReceiver } from '../../worker/receive-mail.ts'
import { openReception, type Reception } from './reception.ts'

const live_sii: Sii = {
  ...unconnectedSii(),
  authorityKeys: async () => AUTHORITY_KEYS,
  signerFor: async () => SIGNER,
}
const troubles: unknown[] = []
let world: World
let reception: Reception
/** Room for everybody, but where a test says otherwise. */
const roomy: RateLimiter = { take: async () => ROOM, giveBack: async () => undefined, close: async () => undefined }
const ROOM = { allowed: true, limit: 1, remaining: 1, reset_seconds: 1 }
type Parts = Parameters<typeof openReception>[0]
const open = (at: World, tls: Parts['tls'] = null, limiter = roomy, in_hand?: Parts['in_hand']) =>
  openReception({
    host: '127.0.0.1',
    port: 0,
    domain: 'recepcion.timbre.test',
    tls,
    ...mailReceiver({ sql: at.db.sql, transactor: at.app.transactor, limiter }),
    onTrouble: (error) => void troubles.push(error),
    ...(in_hand && { in_hand }),
  })
beforeAll(async () => {
  world = await openWorld({ live_sii })
  reception = await open(world)
})
afterAll(async () => {
  await reception.close()
  await world.close()
})

/** Sends as a supplier's server would: one connection, no login. */
async function send(to: string | string[], mail: SendMailOptions = {}, port = reception.port) {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    return await transport.sendMail({
      from: 'dte@proveedor.cl',
      to,
      subject: 'Envío de DTE',
      text: 'Adjunto.',
      ...mail,
    })
  } finally {
    transport.close()
  }
}
/** Says one line after the other, each when the one before was answered; the codes of all answers, until it is cut off. */
async function conversation(port: number, lines: readonly string[]): Promise<string[]> {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  const codes: string[] = []
  return new Promise((resolve) => {
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
      const answers = [...said.matchAll(/^(\d{3})(?: .*)?\r\n/gm)]
      if (answers.length === 0 || !said.endsWith('\r\n')) return
      said = ''
      codes.push(...answers.map(([, code = '']) => code))
      const next = lines[codes.length - 1]
      if (next === undefined) socket.destroy()
      else socket.write(`${next}\r\n`)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(codes))
  })
}
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (error: { responseCode?: number }) => error.responseCode,
  )
const live = () => openIssuer(world, { mode: 'live' })
type Live = Awaited<ReturnType<typeof live>>
const aliasOf = ({ rut }: Live) => `${rut}@recepcion.timbre.test`
const listed = async (empresa: Live) => (await empresa.get('/v1/received_documents')).body.data
const eventsOf = async (empresa: Live, type: string) =>
  (await world.get(`/v1/events?type=${type}`, { key: await world.key(empresa.account, { mode: 'live' }) })).body.data

describe('the exchange mailbox', () => {
  it('takes an envelope from mail to document, and answers whoever sent it with a RecepcionEnvio', async () => {
    const empresa = await live()
    const file = await envelopeFile(empresa.rut, [11, 12])
    await send(aliasOf(empresa).toLowerCase(), {
      attachments: [
        { filename: 'cualquier.dat', content: file },
        { filename: 'factura.pdf', content: Buffer.from('%PDF-1.7') },
      ],
    })
    await expect.poll(async () => (await listed(empresa)).length).toBe(2)
    const documents = await listed(empresa)
    expect(documents.map(({ folio }: { folio: number }) => folio).sort()).toEqual([11, 12])
    expect(documents[0]).toMatchObject({ mode: 'live', status: 'pending', tipo_dte: 33 })
    // Nobody asked the SII when it received them: the clock starts with their signature, which was before they came.
    expect(Date.parse(documents[0].sii_received_at)).toBeLessThan(Date.parse(documents[0].received_at))
    await expect.poll(() => world.letters.length).toBe(1)
    expect(world.letters[0]).toMatchObject({ to: 'dte@proveedor.cl', attachments: [{ media_type: 'application/xml' }] })
    await expect.poll(async () => (await eventsOf(empresa, 'reception.acuse_sent')).length).toBe(1)
    const [sent] = await eventsOf(empresa, 'reception.acuse_sent')
    expect(sent.data).toMatchObject({
      object: { source: 'mail', sender: 'dte@proveedor.cl' },
      detail: { kind: 'recepcion_envio' },
    })
    expect(await world.db.sql`select raw, taken_in_at is null as waits from reception_mail`).toEqual([
      { raw: null, waits: false },
    ])
  })

  it('takes what is zipped, and quarantines of one mail only what cannot be taken', async () => {
    const empresa = await live()
    const zip = zipOf([
      { name: 'bueno.xml', bytes: dteFile(empresa.rut, 21) },
      { name: 'ajeno.xml', bytes: dteFile('76192083-9', 22) },
    ])
    await send(aliasOf(empresa), { attachments: [{ filename: 'envio.zip', content: zip }] })
    await expect.poll(async () => (await listed(empresa)).length).toBe(1)
    const [set_aside] = await eventsOf(empresa, 'reception.quarantined')
    expect(set_aside.data).toMatchObject({ object: { file_name: 'ajeno.xml' }, detail: { reason: 'other_receptor' } })
  })

  it('sets the files of a mail aside together where they are many, with the mail as it came, and takes in the document', async () => {
    const empresa = await live()
    const junk = Array.from({ length: 60 }, (_, i) => ({ name: `basura-${i}.xml`, bytes: Buffer.from('<x/>') }))
    const zip = zipOf([...junk, { name: 'bueno.xml', bytes: dteFile(empresa.rut, 23) }])
    await send(aliasOf(empresa), { subject: 'Sesenta', attachments: [{ filename: 'envio.zip', content: zip }] })
    await expect.poll(async () => (await listed(empresa)).length).toBe(1)
    const told = await eventsOf(empresa, 'reception.quarantined')
    expect(told.map(({ data }: { data: { detail: { reason: string } } }) => data.detail.reason)).toEqual(['bomb'])
    expect(told[0].data.object.quarantine.message).toContain('60 files')
    const kept = await world.db.sql<{ raw: Buffer }>`
      select raw from reception_quarantine where empresa_id = ${empresa.empresa_id}`
    expect(kept.map(({ raw }) => raw.toString('latin1').includes('Subject: Sesenta'))).toEqual([true])
  })

  it('answers nobody for a forged document: the sender of it is forged too', async () => {
    const empresa = await live()
    const forged = dteFile(empresa.rut, 31)
      .toString('latin1')
      .replace(/<MntTotal>\d+/, '<MntTotal>9')
    await send(aliasOf(empresa), {
      from: 'victima@otra.cl',
      attachments: [{ filename: 'dte.xml', content: Buffer.from(forged, 'latin1') }],
    })
    await expect.poll(async () => (await eventsOf(empresa, 'reception.quarantined')).length).toBe(1)
    expect(await listed(empresa)).toEqual([])
    expect(await world.db.sql`select id from received_answer where empresa_id = ${empresa.empresa_id}`).toEqual([])
    expect(world.letters.filter(({ to }) => to === 'victima@otra.cl')).toEqual([])
  })

  it('550 for an alias that nobody has, for a sandbox and for an archived empresa', async () => {
    const sandbox = await openIssuer(world)
    const archived = await live()
    const owner = await world.key(archived.account, { mode: 'live' })
    await world.patch(`/v1/empresas/${archived.empresa_id}`, { key: owner, body: { status: 'archived' } })
    for (const to of ['76192083-9@recepcion.timbre.test', aliasOf(sandbox), aliasOf(archived), 'ana@otra.cl']) {
      expect([to, await refusal(send(to))]).toEqual([to, 550])
    }
  })

  it('552 for a mail beyond ten megabytes, and keeps nothing of it', async () => {
    const empresa = await live()
    const content = Buffer.alloc(9 * 1024 * 1024, 0x61)
    expect(await refusal(send(aliasOf(empresa), { attachments: [{ filename: 'a.xml', content }] }))).toBe(552)
    expect(await world.db.sql`select id from reception_mail where empresa_id = ${empresa.empresa_id}`).toEqual([])
  })

  it('452 for the sixth recipient of a mail, and takes the mail for the five before', async () => {
    const empresa = await live()
    const rcpt = `RCPT TO:<${aliasOf(empresa)}>`
    const head = ['EHLO a', 'MAIL FROM:<dte@proveedor.cl>']
    const others = await Promise.all(Array.from({ length: MAIL.recipients }, live))
    const five = others.map((one) => `RCPT TO:<${aliasOf(one)}>`)
    const codes = await conversation(reception.port, [...head, ...five, rcpt, 'DATA', 'Subject: x\r\n\r\nx\r\n.'])
    expect(codes.slice(3)).toEqual([...five.map(() => '250'), '452', '354', '250'])
  })

  it('452 for a mail that there is no room for at this moment, which is tried again and taken', async () => {
    const empresa = await live()
    const bounds = { owner_bytes: 64 * 1024, pool_bytes: 64 * 1024 }
    const small = await open(world, null, roomy, bounds)
    onTestFinished(small.close)
    const large = { attachments: [{ filename: 'a.bin', content: Buffer.alloc(64 * 1024, 0x61) }] }
    expect(await refusal(send(aliasOf(empresa), large, small.port))).toBe(452)
    expect(await world.db.sql`select id from reception_mail where empresa_id = ${empresa.empresa_id}`).toEqual([])
    // Nothing of the mail that was refused is held any longer.
    expect(await refusal(send(aliasOf(empresa), {}, small.port))).toBeNull()
  })

  it('421 beyond ten connections from one address, and lets go when they close', async () => {
    const lone = await open(world)
    onTestFinished(lone.close)
    const { connect } = await import('node:net')
    const greet = () =>
      new Promise<{ code: string; close(): void }>((resolve) => {
        const socket = connect(lone.port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.once('data', (line) => resolve({ code: line.toString().slice(0, 3), close: () => socket.destroy() }))
      })
    const held = await Promise.all(Array.from({ length: 10 }, greet))
    const one_more = await greet()
    expect([...new Set(held.map(({ code }) => code)), one_more.code]).toEqual(['220', '421'])
    for (const { close } of held) close()
    await expect.poll(async () => (await greet()).code).toBe('220')
  })

  it('451 beyond a hundred and twenty mails a minute from one address', async () => {
    const limiter = localRateLimiter()
    onTestFinished(() => limiter.close())
    const busy = await open(world, null, limiter)
    onTestFinished(busy.close)
    const transport = createTransport({
      host: '127.0.0.1',
      port: busy.port,
      ignoreTLS: true,
      pool: true,
      maxMessages: 10,
    })
    const codes: (number | null | undefined)[] = []
    for (let i = 0; i < 121; i++)
      codes.push(await refusal(transport.sendMail({ from: 'a@b.cl', to: 'x@y.cl', text: 'x' })))
    transport.close()
    expect([new Set(codes.slice(0, 120)), codes[120]]).toEqual([new Set([550]), 451])
  })

  it('counts for a mailbox the mails that came, and not how often a conversation names it', async () => {
    const limiter = localRateLimiter()
    onTestFinished(() => limiter.close())
    const busy = await open(world, null, limiter)
    onTestFinished(busy.close)
    const empresa = await live()
    const rcpt = `RCPT TO:<${aliasOf(empresa)}>`
    const codes = await conversation(busy.port, ['EHLO a', 'MAIL FROM:<evil@b.cl>', ...Array(305).fill(rcpt)])
    expect(codes.slice(-2)).toEqual(['250', '421'])
    expect(codes.length).toBeLessThanOrEqual(MAIL.commands_without_mail + 2)
    for (let i = 0; i < 6; i++) {
      await conversation(busy.port, ['EHLO a', 'MAIL FROM:<evil@b.cl>', ...Array(305).fill(rcpt)])
    }
    expect(await refusal(send(aliasOf(empresa), {}, busy.port))).toBeNull()
  })

  it.each(['NOOP', 'RSET', 'MAIL FROM:<evil@b.cl>', 'RCPT TO:<nobody@recepcion.timbre.test>', 'HELP', 'EHLO b'])(
    '421 for a conversation that says nothing but %s',
    async (command) => {
      const codes = await conversation(reception.port, ['EHLO a', ...Array(100).fill(command)])
      expect(codes.at(-1)).toBe('421')
      expect(codes.length).toBeLessThanOrEqual(MAIL.commands_without_mail + 2)
    },
  )

  it('hears a conversation for as long as it sends mails', async () => {
    const empresa = await live()
    const mail = ['MAIL FROM:<a@b.cl>', `RCPT TO:<${aliasOf(empresa)}>`, 'DATA', 'Subject: x\r\n\r\nx\r\n.']
    const codes = await conversation(reception.port, ['EHLO a', ...Array(15).fill(mail).flat()])
    expect([codes.at(-1), codes.length]).toEqual(['250', 2 + 15 * mail.length])
  })

  it('keeps nothing of a mail whose sender goes away in the middle of it', async () => {
    const empresa = await live()
    const { connect } = await import('node:net')
    const socket = connect(reception.port, '127.0.0.1')
    const says = (code: string) =>
      new Promise<void>((resolve) => socket.on('data', (line) => line.toString().includes(code) && resolve()))
    await says('220')
    socket.removeAllListeners('data')
    for (const [line, code] of [
      ['EHLO a', '250 '],
      ['MAIL FROM:<a@b.cl>', '250'],
      [`RCPT TO:<${aliasOf(empresa)}>`, '250'],
      ['DATA', '354'],
    ] as const) {
      const answered = says(code)
      socket.write(`${line}\r\n`)
      await answered
      socket.removeAllListeners('data')
    }
    socket.write('Subject: a medias\r\n\r\n<DTE>')
    const troubled = troubles.length
    socket.destroy()
    await expect.poll(() => troubles.length).toBeGreaterThan(troubled)
    expect(await world.db.sql`select id from reception_mail where empresa_id = ${empresa.empresa_id}`).toEqual([])
  })

  it('cuts off a mail of dotted lines, each of which costs us more than its sender', async () => {
    const empresa = await live()
    const { connect } = await import('node:net')
    const socket = connect(reception.port, '127.0.0.1')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await expect.poll(() => said).toContain('220')
    for (const [line, code] of [
      ['EHLO a', '250 '],
      ['MAIL FROM:<a@b.cl>', '250'],
      [`RCPT TO:<${aliasOf(empresa)}>`, '250'],
      ['DATA', '354'],
    ] as const) {
      said = ''
      socket.write(`${line}\r\n`)
      await expect.poll(() => said).toContain(code)
    }
    socket.write('..\r\n'.repeat(MAIL.pieces + 1_000))
    await closed
    expect(said).not.toMatch(/^250/m)
    expect(await world.db.sql`select id from reception_mail where empresa_id = ${empresa.empresa_id}`).toEqual([])
  })

  it('speaks STARTTLS where there is a certificate', async () => {
    const { cert, key } = await selfSigned()
    const secure = await open(world, { cert: Buffer.from(cert), key: Buffer.from(key) })
    onTestFinished(secure.close)
    const empresa = await live()
    const transport = createTransport({
      host: '127.0.0.1',
      port: secure.port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    await transport.sendMail({
      from: 'a@b.cl',
      to: aliasOf(empresa),
      attachments: [{ content: dteFile(empresa.rut, 5) }],
    })
    await expect.poll(async () => (await listed(empresa)).length).toBe(1)
  })

  it('loses nothing when the process dies after 250: another one takes it in, once', async () => {
    const idle = await openWorld({ beside: world, runs_jobs: false, live_sii })
    onTestFinished(() => idle.close())
    const kept = await open(idle)
    onTestFinished(kept.close)
    const empresa = await live()
    await send(
      aliasOf(empresa),
      { attachments: [{ filename: 'dte.xml', content: dteFile(empresa.rut, 41) }] },
      kept.port,
    )
    await send(
      aliasOf(empresa),
      { attachments: [{ filename: 'dte.xml', content: dteFile(empresa.rut, 41) }] },
      kept.port,
    )
    await expect.poll(async () => (await listed(empresa)).length).toBe(1)
    const waiting = () =>
      world.db.sql`select id from reception_mail where empresa_id = ${empresa.empresa_id} and raw is not null`
    await expect.poll(async () => (await waiting()).length).toBe(0)
    expect(await listed(empresa)).toHaveLength(1)
    expect(await eventsOf(empresa, 'reception.quarantined')).toEqual([])
  })

  it('451 and not 250 while the database is away', async () => {
    const empresa = await live()
    const broken = await openReception({
      host: '127.0.0.1',
      port: 0,
      domain: 'x',
      tls: null,
      hear: async () => null,
      accepts: async () => true,
      receive: () => Promise.reject(new Error('the database is away')),
      onTrouble: (error) => void troubles.push(error),
    })
    onTestFinished(broken.close)
    expect(await refusal(send(aliasOf(empresa), {}, broken.port))).toBe(451)
    expect(troubles.map(String)).toContain('Error: the database is away')
  })
})
