import { setImmediate as turn } from 'node:timers/promises'
import type { CheckedSignature, ReadDocument, ReadUnissued, XmlDocument, XmlElement } from '@timbre/dte'
import { type QuarantineReason, RECEPTION } from '../../catalog/reception.ts'
import type {
  Evidence,
  Fault,
  Inspected,
  InspectedDocument,
  InspectedMail,
  InspectedMailFile,
  InspectionContext,
} from '../../ports/inspection.ts'
import { clip, excessOf, hasImpossibleAmount } from './bounds.ts'
import { inspectAnswer } from './inspect-answer.ts'
import { inspectResult, RESULT_ROOT } from './inspect-result.ts'
import { openMail } from './open-mail.ts'
import { headingOf, namedBy } from './read-heading.ts'
import { documentSplitter } from './split-envelope.ts'

type Engine = typeof import('@timbre/dte')

const WHY_UNREAD: Readonly<Record<string, QuarantineReason>> = {
  too_large: 'too_large',
  too_many_nodes: 'bomb',
  dtd: 'bomb',
  not_a_dte: 'no_document',
}

/** A reason that names something of the file stays a sentence. */
const TOLD_LETTERS = 300

const LIMITS = { max_bytes: RECEPTION.file_bytes, max_nodes: RECEPTION.xml_nodes, undeclared: 'ISO-8859-1' } as const

/**
 * Reads a file that a stranger sent, in bounded time: whether it is XML, whether it holds documents, and of each of
 * them whether its emisor issued it, with a true signature and a true timbre, and whether it is for this empresa.
 */
export async function inspectFile(bytes: Uint8Array, reading: InspectionContext): Promise<Inspected> {
  // The engine draws nothing at random: a file that it stumbles over once, it stumbles over every time.
  const inspected = await inspect(bytes, reading).catch(
    (): Fault => ({ reason: 'not_xml', message: 'It cannot be read.' }),
  )
  return 'reason' in inspected ? { ...inspected, message: clip(inspected.message, TOLD_LETTERS) } : inspected
}

async function inspect(bytes: Uint8Array, reading: InspectionContext): Promise<Inspected> {
  const engine = await import('@timbre/dte')
  const envelope = engine.readEnvelope(bytes, LIMITS)
  if (!envelope.ok) {
    const { rule, message, path } = envelope.refusal
    if (rule === 'not_a_dte' && engine.ANSWER_ROOTS.includes(path)) return inspectAnswer(engine, bytes, LIMITS, reading)
    if (rule === 'not_a_dte' && path === RESULT_ROOT) return inspectResult(bytes)
    return { reason: WHY_UNREAD[rule] ?? 'not_xml', message }
  }
  const { xml, caratula, documents } = envelope.value
  const checked = engine.verifySignatures(xml)
  if (!checked.ok) return { reason: 'bad_signature', message: checked.refusal.message }
  const own = checked.value.filter(({ container }) => container.name === 'DTE')
  // A signed document anywhere but in the set is nobody's to read.
  if (own.length !== documents.length) return { reason: 'bad_signature', message: 'A document lies outside its set.' }
  const outer = checked.value.find(({ container }) => container === xml.root && container.name !== 'DTE')
  const cut = documentSplitter(engine, xml, bytes, own.length)
  const inspected: InspectedDocument[] = []
  for (const [index, signature] of own.entries()) {
    const outcome = documents[index]
    const read = outcome?.ok ? outcome.value : readOther(engine, signature, xml)
    const unreadable = outcome && !outcome.ok && outcome.refusal.rule === 'unreadable' ? outcome.refusal.message : null
    const enveloped_at = outer && !outer.refusal ? (caratula?.signed_at ?? null) : null
    const piece = { ...reading, read, unreadable, xml: cut(index), enveloped_at }
    inspected.push(inspectDocument(engine, xml, signature, piece))
    // Hundreds of them take a while: the rest of the process goes on in between.
    if (index % 5 === 4) await turn()
  }
  const { resolution_number, resolution_date } = caratula ?? {}
  const resolucion =
    resolution_number === undefined || resolution_date === undefined
      ? null
      : { numero: resolution_number, fecha: resolution_date }
  // What the free portal of the SII gives out holds documents of many emitters, and nobody signed it as a whole.
  const loose = xml.root.name === 'SetDTE'
  const emisores = new Set(inspected.map(({ heading }) => heading?.emisor_rut ?? null))
  return {
    set_id: clip(envelope.value.id ?? own[0]?.signed.attributes.ID ?? 'SetDoc', TOLD_LETTERS),
    digest: loose ? null : ((outer ?? own[0])?.digest ?? null),
    emisor_rut: caratula?.rut_emisor ?? (emisores.size === 1 ? (inspected[0]?.heading?.emisor_rut ?? null) : null),
    resolucion,
    documents: inspected,
  }
}

/** A tipo that the service does not issue: where no more than its heading can be read, that is taken. */
function readOther(engine: Engine, { container }: CheckedSignature, xml: XmlDocument): ReadUnissued | null {
  const read = engine.readUnissued(container, xml)
  return read.ok ? read.value : null
}

interface Piece extends InspectionContext {
  readonly read: ReadDocument | ReadUnissued | null
  readonly unreadable: string | null
  readonly xml: Buffer
  /** When the envelope was signed, where its own signature is true. */
  readonly enveloped_at: string | null
}

/** What a timbre that is true and speaks of something else is called, beside one that is false. */
const OTHER_TIMBRE: readonly string[] = ['stamp_mismatch', 'folio_out_of_range']

function inspectDocument(
  engine: Engine,
  document: XmlDocument,
  signature: CheckedSignature,
  piece: Piece,
): InspectedDocument {
  const { signed, digest, refusal } = signature
  const heading = headingOf(signed, engine.textAt)
  const excess = excessOf(signed)
  const impossible = heading !== null && hasImpossibleAmount(heading, piece.read)
  if (excess !== null || impossible) {
    const message = excess ?? 'It tells an amount that no document can have.'
    const unread = { xml: piece.xml, dte: null, digest, signed_at: null, evidence: null, authentic: false }
    return { ...unread, heading, fault: { reason: 'bad_schema', message } }
  }
  const timbre = refusal ?? engine.checkTimbre(document, signed, piece.sii_keys)
  const dte = piece.read?.dte ?? null
  const signed_at = engine.textAt(signed, 'TmstFirma') || piece.enveloped_at
  const authentic = timbre === null
  const evidence = authentic ? evidenceOf(engine, signature, piece) : null
  const common = { xml: piece.xml, dte, digest, signed_at, evidence }
  if (!heading || piece.unreadable !== null) {
    const nothing = signed.name === 'Exportaciones' ? 'It does not tell its amounts in pesos, or lacks' : 'It lacks'
    const message =
      piece.unreadable ?? `${nothing} its emisor, tipo, folio, date or total, or tells an amount that is none.`
    return { ...common, heading, authentic, fault: { reason: 'bad_schema', message } }
  }
  if (timbre) {
    const reason = OTHER_TIMBRE.includes(timbre.rule) ? 'timbre_mismatch' : 'bad_signature'
    return { ...common, heading, authentic, fault: { reason, message: clip(timbre.message, TOLD_LETTERS) } }
  }
  const named = namedBy(heading, dte)
  if (heading.receptor_rut !== piece.receptor_rut) {
    const message = `It is for ${heading.receptor_rut ?? 'nobody'}, not for ${piece.receptor_rut}.`
    return { ...common, heading: named, authentic, fault: { reason: 'other_receptor', message } }
  }
  return { ...common, heading: named, authentic, fault: null }
}

/** Values that could not be read here leave the amounts without anything to be held against. */
const AMOUNTS = /^(items|totals|discounts|surcharges)\b/

function evidenceOf(engine: Engine, { signed, signer, certificates }: CheckedSignature, piece: Piece): Evidence {
  const { read, authorities } = piece
  const legible = read?.warnings.every(({ path }) => !AMOUNTS.test(path)) ?? false
  return {
    signer: signer && { rut: signer.rut, valid_from: signer.valid_from, valid_until: signer.valid_until },
    issuer: engine.findIssuer(certificates, authorities),
    stamped_at: stampedAt(engine, signed),
    texts_apart: engine.timbreTextsApart(signed),
    agreement: read && legible && !engine.isUnissued(read.dte) ? engine.checkAgreement(read.dte) : null,
  }
}

function stampedAt(engine: Engine, signed: XmlElement): string | null {
  return engine.textAt(signed, 'TED', 'DD', 'TSTED') ?? null
}

/** Opens a mail and reads every file of it, one after the other. */
export async function inspectMail(raw: Uint8Array, reading: InspectionContext): Promise<InspectedMail> {
  const started = performance.now()
  const files: InspectedMailFile[] = []
  for (const { name, bytes, fault } of await openMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length))) {
    files.push({ name, bytes, inspected: fault ?? (await inspectFile(bytes, reading)) })
  }
  return { files, read_ms: performance.now() - started }
}
