import { accept, type Outcome, refuse } from '../refusal.ts'
import { SII_DTE, type Signable, type Signer, signature, signatureSync, XSI, XSI_SCOPE } from '../signature/sign.ts'
import { parseXmlText } from '../xml/parse.ts'
import { attributes, XML_DECLARATION } from '../xml/write.ts'

/** A part of an envelope: as it is written, and as the canonical form of the envelope shows it. */
export interface Piece {
  readonly written: string
  /** In one part or several: what is digested need not stand in one text. */
  readonly canonical: readonly string[]
}

export function piece(written: string): Piece {
  return { written, canonical: [written] }
}

const DEFAULT_NAMESPACE = ` xmlns="${SII_DTE}"`

/**
 * An element that this engine signed alone, pasted unchanged. It declares the SII's namespace, which inside an
 * envelope is already in scope, and the canonical form does not repeat it. Undefined for an element of another maker.
 */
export function pasteOwn(signed: string, name: string): Piece | undefined {
  const start = `<${name}${DEFAULT_NAMESPACE}`
  if (!signed.startsWith(start)) return undefined
  return { written: signed, canonical: [`<${name}`, signed.slice(start.length)] }
}

/** The canonical form of somebody else's element inside an envelope, found by parsing it there. */
export function pasteForeign(signed: string, scope: Signable['scope'] = XSI_SCOPE): Outcome<Piece, 'not_xml'> {
  const written = signed.replace(/^\s*<\?xml\s[^>]*\?>\s*/, '')
  const parsed = parseXmlText(`<in${DEFAULT_NAMESPACE}${scope}>${written}</in>`)
  if (!parsed.ok) return refuse('not_xml', parsed.refusal.message, parsed.refusal.path)
  const { canonical, root } = parsed.value
  const only = root.children[0]
  if (only === undefined || root.children.length > 1) return refuse('not_xml', 'It is not one XML element.')
  return accept({ written, canonical: [canonical.slice(only.start, only.end)] })
}

/** An inner document: signed as if it stood alone, which is how the SII verifies it wherever it is pasted. */
export interface Alone {
  readonly container: string
  readonly body: string
  readonly id: string
  /** `<Body ID="...">...</Body>` without a namespace declaration. */
  readonly xml: string
  /** Its canonical form, when it is not canonical as written. */
  readonly canonical?: string
}

function signableAlone({ body, id, xml, canonical }: Alone): Signable {
  const start = `<${body}`
  return { id, canonical: [`${start}${DEFAULT_NAMESPACE}`, (canonical ?? xml).slice(start.length)], scope: '' }
}

function writeAlone({ container, xml }: Alone, signed: string): string {
  return `<${container}${DEFAULT_NAMESPACE} version="1.0">${xml}${signed}</${container}>`
}

export async function signAlone(alone: Alone, signer: Signer): Promise<string> {
  return writeAlone(alone, await signature(signableAlone(alone), signer))
}

export function signAloneSync(alone: Alone, signer: Signer): string {
  return writeAlone(alone, signatureSync(signableAlone(alone), signer))
}

/** A file for the SII or for another taxpayer: a root, one body that is signed in place, the signature. */
export interface Envelope {
  readonly root: string
  readonly schema: string
  readonly body: string
  readonly id: string
  readonly content: readonly Piece[]
}

export async function signEnvelope(envelope: Envelope, signer: Signer): Promise<string> {
  return writeEnvelope(envelope, await signature(signableEnvelope(envelope), signer))
}

export function signEnvelopeSync(envelope: Envelope, signer: Signer): string {
  return writeEnvelope(envelope, signatureSync(signableEnvelope(envelope), signer))
}

function signableEnvelope({ body, id, content }: Envelope): Signable {
  const start = `<${body}${DEFAULT_NAMESPACE}${XSI_SCOPE}${attributes({ ID: id })}>`
  return { id, canonical: [start, ...content.flatMap(({ canonical }) => canonical), `</${body}>`], scope: XSI_SCOPE }
}

function writeEnvelope({ root, schema, body, id, content }: Envelope, signed: string): string {
  const declared = attributes({
    xmlns: SII_DTE,
    'xmlns:xsi': XSI,
    version: '1.0',
    'xsi:schemaLocation': `${SII_DTE} ${schema}`,
  })
  const start = `${XML_DECLARATION}<${root}${declared}><${body}${attributes({ ID: id })}>`
  // Joined once: megabytes that were put together in two steps would be copied twice.
  return [start, ...content.map(({ written }) => written), `</${body}>${signed}</${root}>`].join('')
}
