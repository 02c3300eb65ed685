import type { ReadCertificate } from './certificate.ts'
import { differs, finding, refuses } from './findings.ts'
import { factsOf, type ReadDocument } from './read-document.ts'
import { checkHeader } from './rules/header.ts'
import { checkLines } from './rules/lines.ts'
import { checkReferences, type FindDocument } from './rules/references.ts'
import { checkTotals } from './rules/totals.ts'
import { checkAlone, packed, type SignatureFault } from './signature.ts'
import type { CheckTimbre } from './timbre.ts'
import type { DocumentVerdict, Finding, KnownDocument, VerifyView } from './verdict.ts'
import { child, text } from './xml/node.ts'
import type { ParsedXml } from './xml/parse.ts'

/** What judging a document needs beside the document. */
export interface Court {
  view: VerifyView
  readCertificate: ReadCertificate
  checkTimbre: CheckTimbre
  /** The file. */
  xml: ParsedXml
  /** `RutEmisor` of the carátula. */
  emisor: string
  /** Documents of this envelope that were taken, by tipo and folio. */
  taken: Map<string, KnownDocument>
}

/**
 * Judges one document in the order in which the SII looks: whose it is, its folio, CAF, timbre, signature, and only
 * then what it says. The first of these that refuses hides the later ones (PROTOCOLS 6).
 */
export function judgeDocument(document: ReadDocument, court: Court): DocumentVerdict {
  const { dte, tipo, folio, receptor, fecha, total } = document
  const signature_value = packed(text(dte, 'Signature', 'SignatureValue'))
  const findings = findAll(document, signature_value, court)
  const outcome = findings.some(refuses) ? 'rejected' : findings.length > 0 ? 'reparo' : 'accepted'
  if (outcome !== 'rejected') court.taken.set(keyOf(tipo, folio), { receptor, fecha, monto: total, signature_value })
  return { ...factsOf(document, court.xml.bytesOf(dte)), signature_value, outcome, findings }
}

const keyOf = (tipo: number, folio: number) => `${tipo} ${folio}`

function findAll(document: ReadDocument, signature_value: string, court: Court): Finding[] {
  const { view, taken } = court
  const findDocument: FindDocument = (tipo, folio) =>
    taken.get(keyOf(tipo, folio)) ?? view.document(document.emisor, tipo, folio)
  const steps: readonly (() => readonly Finding[])[] = [
    () => checkEmisor(document, court),
    () => checkFolio(document, signature_value, court),
    () => court.checkTimbre(document, court.xml.source, view),
    () => checkSignature(document, court),
    () => checkHeader(document, view),
    () => checkLines(document),
    () => checkTotals(document),
    () => checkReferences(document, findDocument),
  ]
  const found: Finding[] = []
  for (const step of steps) {
    found.push(...step())
    if (found.some(refuses)) return found
  }
  return found
}

function checkEmisor({ emisor, tipo }: ReadDocument, { view, emisor: expected }: Court): Finding[] {
  if (emisor !== expected) return [finding('DTE-3-900', differs(emisor, expected))]
  const tipos = view.taxpayer(emisor)?.tipos ?? null
  return tipos === null || tipos.includes(tipo) ? [] : [finding('DTE-3-901', `[${tipo}]`)]
}

function checkFolio(document: ReadDocument, signature_value: string, { view, taken }: Court): Finding[] {
  const { emisor, tipo, folio } = document
  const named = `Tipo [${tipo}] Folio [${folio}]`
  const received = taken.get(keyOf(tipo, folio)) ?? view.document(emisor, tipo, folio)
  // The same document twice, or another one on a folio that is used.
  if (received !== null)
    return [finding(received.signature_value === signature_value ? 'DTE-3-100' : 'DTE-3-101', named)]
  return view.isAnnulled?.(emisor, tipo, folio) === true ? [finding('DTE-3-601', named)] : []
}

const FAULTS: Readonly<Record<SignatureFault, string>> = {
  absent: 'sin firma',
  algorithm: 'algoritmo de firma',
  reference: 'la referencia no apunta al documento',
  transform: 'transformacion no permitida',
  digest: 'DigestValue no corresponde al documento',
  certificate: 'certificado ilegible',
  key_value: 'KeyValue no corresponde al certificado',
  signature_value: 'SignatureValue no corresponde a SignedInfo',
}

export const faultInWords = (fault: SignatureFault) => FAULTS[fault]

function checkSignature({ dte, body, signed_on, emisor }: ReadDocument, court: Court): Finding[] {
  const { view, readCertificate } = court
  const checked = checkAlone(dte, child(dte, 'Signature'), body, readCertificate)
  if (!checked.ok) return [finding('DTE-3-505', faultInWords(checked.fault))]
  const { signer } = checked
  if (!signer.accredited) return [finding('DTE-3-903', 'no emitido por una autoridad acreditada')]
  if (view.today < signer.valid_from || view.today > signer.valid_to)
    return [finding('DTE-3-903', `vigente [${signer.valid_from}] a [${signer.valid_to}]`)]
  if (signed_on > view.today) return [finding('DTE-3-904', `[${signed_on}] > [${view.today}]`)]
  if (signer.rut === null || !view.maySign(signer.rut, emisor)) return [finding('DTE-3-902', `[${signer.rut ?? ''}]`)]
  return []
}
