import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSmtp } from '../../../test/support/smtp-server.ts'
import { composeLetter } from '../../domain/platform/mail/compose.ts'
import { type Letter, MailRefused } from '../../ports/mail.ts'
import { smtpMail } from './mail.ts'
import { outboxMail } from './outbox-folder.ts'

const from = 'Timbre <no-responder@timbre.cl>'
const letter: Letter = {
  id: 'ltr_0123456789abcdefghjkmnpqrs',
  ...composeLetter({
    to: 'ana@example.cl',
    subject: 'Crea una contraseña nueva: ñandú €',
    greeting: '¡Hola, Ñuñoa!',
    paragraphs: [`Un párrafo que es largo ${'y sigue '.repeat(60)}y termina.`],
    button: { label: 'Crear contraseña', url: 'http://timbre.test/restablecer?token=AbC123' },
    notes: ['El enlace funciona por una hora.'],
  }),
}

async function expectTheLetter(raw: Buffer): Promise<void> {
  const parsed = await PostalMime.parse(raw)
  expect(parsed.subject).toBe(letter.subject)
  expect(parsed.from).toMatchObject({ name: 'Timbre', address: 'no-responder@timbre.cl' })
  expect(parsed.to?.map(({ address }) => address)).toEqual(['ana@example.cl'])
  expect(parsed.messageId).toBe(`<${letter.id}@timbre.cl>`)
  expect(parsed.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text.trim())
  expect(parsed.html?.replaceAll('\r\n', '\n').trim()).toBe(letter.html.trim())
  expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
}

describe('mail by SMTP', () => {
  it('arrives whole, in both versions, with the envelope of one recipient', async () => {
    const { port, received } = await openSmtp()
    const mail = smtpMail({ url: `smtp://127.0.0.1:${port}`, from })
    await mail.send(letter)
    expect(received).toHaveLength(1)
    expect(received[0]?.envelope).toEqual({ from: 'no-responder@timbre.cl', to: ['ana@example.cl'] })
    await expectTheLetter(received[0]?.raw ?? Buffer.alloc(0))
  })

  it('speaks for somebody else, answers go to them, and files arrive byte for byte', async () => {
    const { port, received } = await openSmtp()
    const bytes = Uint8Array.from({ length: 3000 }, (_, i) => i % 256)
    const filename = '76192083-9-T33-F1.pdf'
    await smtpMail({ url: `smtp://127.0.0.1:${port}`, from }).send({
      ...letter,
      from_name: 'Viña "La Ñusta", S.A. <ventas@otra.cl>',
      reply_to: 'ventas@vina.cl',
      attachments: [{ filename, media_type: 'application/pdf', bytes }],
    })
    expect(received[0]?.envelope.from).toBe('no-responder@timbre.cl')
    const parsed = await PostalMime.parse(received[0]?.raw ?? Buffer.alloc(0))
    expect(parsed.from).toEqual({ name: 'Viña "La Ñusta", S.A. <ventas@otra.cl>', address: 'no-responder@timbre.cl' })
    expect(parsed.replyTo?.map(({ address }) => address)).toEqual(['ventas@vina.cl'])
    expect(parsed.messageId).toBe(`<${letter.id}@timbre.cl>`)
    const [file] = parsed.attachments
    expect([file?.filename, file?.mimeType, file?.disposition]).toEqual([filename, 'application/pdf', 'attachment'])
    expect(new Uint8Array(file?.content as ArrayBuffer)).toEqual(bytes)
  })

  it('logs in with what the URL carries and does not tell it', async () => {
    const { port, received } = await openSmtp({ login: { user: 'timbre', pass: 'se@creta' } })
    const mail = smtpMail({ url: `smtp://timbre:se%40creta@127.0.0.1:${port}`, from })
    await mail.send(letter)
    expect(received[0]?.user).toBe('timbre')
    expect(mail.describe).toBe(`SMTP server 127.0.0.1:${port}`)
  })

  it('does not cross a network in clear unless the URL says so', async () => {
    const { port, received } = await openSmtp()
    // Reaches this machine, and does not look like it.
    const url = `smtp://0.0.0.0:${port}`
    await expect(smtpMail({ url, from }).send(letter)).rejects.toThrow()
    expect(received).toHaveLength(0)
    await smtpMail({ url: `${url}?requireTLS=false`, from }).send(letter)
    expect(received).toHaveLength(1)
  })

  it.each(['RCPT', 'DATA'] as const)('is refused for good on a 5xx to %s', async (at) => {
    const { port } = await openSmtp({ refuses: { at, code: 550 } })
    await expect(smtpMail({ url: `smtp://127.0.0.1:${port}`, from }).send(letter)).rejects.toThrow(MailRefused)
  })

  it.each([
    ['a 4xx to the recipient', { at: 'RCPT', code: 451 }],
    ['a 5xx to us', { at: 'MAIL', code: 550 }],
  ] as const)('may be tried again after %s', async (_what, refuses) => {
    const { port } = await openSmtp({ refuses })
    const failed = await smtpMail({ url: `smtp://127.0.0.1:${port}`, from })
      .send(letter)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(failed).not.toBeInstanceOf(MailRefused)
  })

  it('may be tried again when nobody listens or the password is wrong', async () => {
    const { port } = await openSmtp({ login: { user: 'timbre', pass: 'otra' } })
    for (const url of ['smtp://127.0.0.1:1', `smtp://timbre:mala@127.0.0.1:${port}`]) {
      const failed = await smtpMail({ url, from })
        .send(letter)
        .catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(Error)
      expect(failed).not.toBeInstanceOf(MailRefused)
      expect(String((failed as Error).message)).not.toContain('mala')
    }
  })
})

describe('mail in the outbox', () => {
  it('is one .eml file that only its owner reads, and the same file when tried twice', async () => {
    const root = await mkdtemp(join(tmpdir(), 'timbre-outbox-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const folder = join(root, 'data', 'outbox')
    const mail = outboxMail({ folder, from })
    await mail.send(letter)
    await mail.send(letter)
    expect(await readdir(folder)).toEqual([`${letter.id}.eml`])
    const file = join(folder, `${letter.id}.eml`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const raw = await readFile(file)
    expect(raw.includes('\r\n')).toBe(true)
    await expectTheLetter(raw)
  })
})
