import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../../../test/support/zip-file.ts'
import { openMail } from './open-mail.ts'

const XML = Buffer.from('<?xml version="1.0"?><DTE/>')

function mailWith(attachments: object[], more: object = {}): Promise<Buffer> {
  const letter = { from: 'dte@proveedor.cl', to: 'a@b.cl', subject: 'Envío', text: 'Adjunto.', ...more }
  return new MailComposer({ ...letter, attachments }).compile().build()
}
const told = async (raw: Buffer) => (await openMail(raw)).map(({ name, fault }) => [name, fault?.reason ?? null])

describe('a mail', () => {
  it('gives its XML whatever it is called and however it is typed, and leaves PDFs and pictures alone', async () => {
    const raw = await mailWith([
      { filename: 'envio.xml', content: XML },
      { filename: 'SetDTE.dat', content: XML, contentType: 'application/octet-stream' },
      { filename: 'ñandú 🐦.txt', content: Buffer.concat([Buffer.from('\ufeff\r\n'), XML]) },
      { filename: 'factura.pdf', content: Buffer.from('%PDF-1.7') },
      { filename: 'logo.png', content: Buffer.from('\x89PNG', 'latin1') },
    ])
    expect(await told(raw)).toEqual([
      ['envio.xml', null],
      ['SetDTE.dat', null],
      ['ñandú 🐦.txt', null],
    ])
  })

  it('gives what is zipped, many files at once, and sets a zip inside a zip aside', async () => {
    const inner = zipOf([{ name: 'dentro.xml', bytes: XML }])
    const zip = zipOf([
      { name: 'a/uno.xml', bytes: XML },
      { name: 'dos.xml', bytes: XML },
      { name: 'otro.zip', bytes: inner },
    ])
    expect(await told(await mailWith([{ filename: 'envios.zip', content: zip }]))).toEqual([
      ['uno.xml', null],
      ['dos.xml', null],
      ['otro.zip', 'no_document'],
    ])
  })

  it('calls a file by its name alone: no folders, and no more than a line', async () => {
    const long = `${'n'.repeat(5_000)}.xml`
    const zip = zipOf([
      { name: 'C_/tres.xml', bytes: XML },
      { name: long, bytes: XML },
    ])
    const attached = [
      { filename: '../../etc/uno.xml', content: XML },
      { filename: 'envios.zip', content: zip },
    ]
    expect(await told(await mailWith(attached))).toEqual([
      ['uno.xml', null],
      ['tres.xml', null],
      ['n'.repeat(200), null],
    ])
  })

  it('bomb for a zip that unpacks to far more than it is, to too much in all, or that lies about it', async () => {
    const tight = zipOf([{ name: 'a.xml', bytes: Buffer.alloc(9 * 1024 * 1024, 0x20) }])
    const many = zipOf(Array.from({ length: 300 }, (_, i) => ({ name: `${i}.xml`, bytes: XML })))
    const loose = Buffer.alloc(9 * 1024 * 1024, 0x20)
    for (let at = 0; at < loose.length; at += 1_000) loose.writeDoubleLE(Math.sin(at), at)
    const heavy = zipOf(Array.from({ length: 5 }, (_, i) => ({ name: `${i}.xml`, bytes: loose })))
    for (const content of [tight, many, heavy]) {
      expect(await told(await mailWith([{ filename: 'b.zip', content }]))).toEqual([['b.zip', 'bomb']])
    }
    const huge = zipOf([{ name: 'a.xml', bytes: Buffer.alloc(11 * 1024 * 1024, 0x20) }])
    expect(await told(await mailWith([{ filename: 'b.zip', content: huge }]))).toEqual([['b.zip', 'too_large']])
    const lies = zipOf([{ name: 'a.xml', bytes: Buffer.alloc(60_000, 0x20), claimed_size: 10 }])
    expect(await told(await mailWith([{ filename: 'b.zip', content: lies }]))).toEqual([['b.zip', 'not_xml']])
  })

  it('gives a hundred attachments, and is a bomb with more than two hundred', async () => {
    const attached = (count: number) =>
      mailWith(Array.from({ length: count }, (_, i) => ({ filename: `${i}.xml`, content: XML })))
    expect((await told(await attached(100))).every(([, fault]) => fault === null)).toBe(true)
    expect(await openMail(await attached(100))).toHaveLength(100)
    expect(await told(await attached(201))).toEqual([['correo.eml', 'bomb']])
  })

  it('bomb for a mail nested beyond any that people send', async () => {
    const nested = Array.from(
      { length: 400 },
      (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
    )
    expect(await told(Buffer.from(nested.join('')))).toEqual([['correo.eml', 'bomb']])
  })

  it('bomb for more lines, or more lines that may divide it, than a mail of ten megabytes has, also in a mail within it', async () => {
    const head = 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
    const lines = '\n'.repeat(400_001)
    const dividing = '--b\r\n'.repeat(5_001)
    const packed = Buffer.from(lines).toString('base64')
    const forwarded = `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${packed}`
    for (const text of [lines, head + dividing, `${head}--b\r\n${forwarded}`]) {
      expect(await told(Buffer.from(text))).toEqual([['correo.eml', 'bomb']])
    }
  })

  it('gives what a mail forwarded within it holds, three deep', async () => {
    const forward = (inner: string) => `Content-Type: message/rfc822\r\n\r\n${inner}`
    const letter = (await mailWith([{ filename: 'dte.xml', content: XML }])).toString('latin1')
    for (const [deep, files] of [
      [1, [['dte.xml', null]]],
      [3, [['dte.xml', null]]],
      [4, [['correo.eml', 'no_document']]],
    ] as const) {
      let raw = letter
      for (let i = 0; i < deep; i++) raw = forward(raw)
      expect([deep, await told(Buffer.from(raw, 'latin1'))]).toEqual([deep, files])
    }
  })

  it('not_xml for what is called XML and is not, no_document without a file, also with the XML in its text', async () => {
    const fake = await mailWith([{ filename: 'factura.xml', content: Buffer.from('hola') }])
    expect(await told(fake)).toEqual([['factura.xml', 'not_xml']])
    expect(await told(await mailWith([]))).toEqual([['correo.eml', 'no_document']])
    const [pasted] = await openMail(await mailWith([], { text: '<EnvioDTE version="1.0"></EnvioDTE>' }))
    expect(pasted?.fault).toMatchObject({ reason: 'no_document', message: expect.stringContaining('Attach it') })
    expect(await told(Buffer.from('\0\x01 not a mail at all', 'latin1'))).toEqual([['correo.eml', 'no_document']])
  })
})
