import { MAIL } from '../../catalog/limits.ts'
import { RECEPTION } from '../../catalog/reception.ts'
import { type Fault, WHOLE_MAIL } from '../../ports/inspection.ts'
import { countLines, type LinesLeft, linesOfOneMail } from './mail-lines.ts'
import { isZip, unzip } from './unzip.ts'

/** Something in a mail that may be a document, or that shows why it is none. */
export interface MailFile {
  readonly name: string
  readonly bytes: Buffer
  /** Known before it is read as XML. */
  readonly fault: Fault | null
}

const TWICE: Fault = { reason: 'no_document', message: 'A zip inside a zip is not opened.' }
const SPACES = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
const MIME_LIMITS = {
  maxNestingDepth: MAIL.nesting,
  maxRfc822NestingDepth: 0,
  maxHeadersSize: MAIL.headers_bytes,
} as const

const bomb = (message: string): Fault => ({ reason: 'bomb', message })

/** XML by what it holds, whatever it is called: suppliers send it as .xml, .dat, or with no name at all. */
function looksLikeXml(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 64).findIndex((byte) => !SPACES.includes(byte))
  return start >= 0 && bytes[start] === 0x3c
}

const claimsXml = (name: string, media_type: string) => /\.xml$/i.test(name) || /[/+]xml$/.test(media_type)
const isPage = (media_type: string) => media_type === 'text/html' || media_type === 'image/svg+xml'

/** The name of a file is anybody's to choose: it is kept short, on one line, and without the folders before it. */
function nameOf(filename: string | null, index: number): string {
  const last = (filename ?? '').split(/[\\/]/).at(-1) ?? ''
  const name = last.slice(0, 200).replace(/\p{C}/gu, '').trim()
  return name === '' ? `adjunto-${index + 1}` : name
}

async function filesIn(name: string, media_type: string, bytes: Buffer, room: number): Promise<MailFile[]> {
  if (isZip(bytes)) {
    const members = await unzip(bytes, room)
    if ('reason' in members) return [{ name, bytes, fault: members }]
    return members.flatMap(({ name: written, bytes: inside }, index) => {
      const member = nameOf(written, index)
      return isZip(inside) ? [{ name: member, bytes: inside, fault: TWICE }] : plainFile(member, '', inside)
    })
  }
  return plainFile(name, media_type, bytes)
}

function plainFile(name: string, media_type: string, bytes: Buffer): MailFile[] {
  if (looksLikeXml(bytes) && !isPage(media_type)) return [{ name, bytes, fault: null }]
  // PDFs, pictures and signatures travel beside the XML: they are nothing to complain about.
  if (!claimsXml(name, media_type)) return []
  return [{ name, bytes, fault: { reason: 'not_xml', message: 'It is called XML and is something else.' } }]
}

interface Contents {
  readonly files: readonly MailFile[]
  /** What a person would read. */
  readonly text: string
}

/**
 * Everything in a mail and in the mails forwarded within it. Those are opened here, one by one, and not by the parser:
 * what was packed in base64 is counted too.
 */
async function contentsOf(raw: Buffer, left: LinesLeft, depth = 0): Promise<Contents | Fault> {
  const tooLong = countLines(raw, left)
  if (tooLong) return tooLong
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer', ...MIME_LIMITS }).catch(() => null)
  if (!mail) return bomb('The mail is nested or headed beyond any that people send.')
  if (mail.attachments.length > RECEPTION.files) return bomb(`The mail has ${mail.attachments.length} attachments.`)
  const files: MailFile[] = []
  for (const [index, { filename, mimeType, content, rfc822DepthExceeded }] of mail.attachments.entries()) {
    const bytes = Buffer.from(content as ArrayBuffer)
    if (rfc822DepthExceeded && depth < MAIL.forwarded) {
      const forwarded = await contentsOf(bytes, left, depth + 1)
      if ('reason' in forwarded) return forwarded
      files.push(...forwarded.files)
    } else {
      files.push(...(await filesIn(nameOf(filename, index), mimeType, bytes, RECEPTION.files - files.length)))
    }
    if (files.length > RECEPTION.files) return bomb('The mail holds too many files.')
  }
  return { files, text: `${mail.text ?? ''}${mail.html ?? ''}` }
}

/** What a mail holds, within bounds. A mail from which nothing can be taken comes back whole, with the reason. */
export async function openMail(raw: Buffer): Promise<readonly MailFile[]> {
  const whole = (fault: Fault): MailFile[] => [{ name: WHOLE_MAIL, bytes: raw, fault }]
  const contents = await contentsOf(raw, linesOfOneMail())
  if ('reason' in contents) return whole(contents)
  if (contents.files.length > 0) return contents.files
  const message = /<(EnvioDTE|DTE|SetDTE)\b/.test(contents.text)
    ? 'The XML is in the text of the mail, where mail programs change it. Attach it as a file.'
    : 'No XML and no zip is attached.'
  return whole({ reason: 'no_document', message })
}
