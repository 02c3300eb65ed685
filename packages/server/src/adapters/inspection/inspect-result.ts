import { RECEPTION } from '../../catalog/reception.ts'
import type { Fault, InspectedResult, ToldFinding } from '../../ports/inspection.ts'
import { clip } from './bounds.ts'

/** The root of the file that the SII mails when it has looked at an envelope (RespSII_v10.xsd). */
export const RESULT_ROOT = 'RESULTADO_ENVIO'

/** Letters of a finding, which is shown on the document. */
const GLOSA_LETTERS = 256
/** Findings of one thing that are told. */
const FINDINGS = 5

/** Reads a result e-mail of the SII. Nobody signs it: anybody can write such a file, so what it moves is the domain's to say. */
export async function inspectResult(bytes: Uint8Array): Promise<InspectedResult | Fault> {
  const { readResultMail } = await import('@timbre/sii')
  const read = readResultMail(bytes)
  const aside = (message: string): Fault => ({ reason: 'exchange_answer', message })
  if (!read.ok) return aside(read.refusal.message)
  const { emisor_rut, track_id, documents, envelope_findings } = read.value
  if (documents.length > RECEPTION.answer_lines) return aside('It speaks of more documents than an envelope holds.')
  const told = documents.flatMap(({ tipo_dte, folio, outcome, findings }) => {
    const finding = findingOf(findings)
    return outcome === 'accepted' || finding === null ? [] : [{ tipo_dte, folio, outcome, ...finding }]
  })
  return { result: { emisor_rut, track_id, documents: told, envelope: findingOf(envelope_findings) } }
}

/** Several findings as one: the code of the first, the words of all. */
function findingOf(findings: readonly ToldFinding[]): ToldFinding | null {
  const [first] = findings
  if (first === undefined) return null
  const words = findings.slice(0, FINDINGS).map(({ glosa }) => glosa)
  return { code: first.code === null ? null : clip(first.code, 20), glosa: clip(words.join(' '), GLOSA_LETTERS) }
}
