import type { CheckedSignature, ReadAnswer } from '@timbre/dte'
import { RECEPTION } from '../../catalog/reception.ts'
import type { Fault, InspectedAnswer, InspectionContext } from '../../ports/inspection.ts'
import { clip } from './bounds.ts'

type Engine = typeof import('@timbre/dte')

/** Letters of a glosa (RespuestaEnvioDTE_v10.xsd), which is shown on the document. */
const GLOSA_LETTERS = 256

/**
 * Reads what a receptor answered, where every signature of the file is true. Anything else is kept and never believed:
 * whoever knows a folio can write such a file.
 */
export function inspectAnswer(
  engine: Engine,
  bytes: Uint8Array,
  limits: Parameters<Engine['parseXml']>[1],
  { authorities }: Pick<InspectionContext, 'authorities'>,
): InspectedAnswer | Fault {
  const aside = (message: string): Fault => ({ reason: 'exchange_answer', message })
  const parsed = engine.parseXml(bytes, limits)
  if (!parsed.ok) return aside(parsed.refusal.message)
  const checked = engine.verifySignatures(parsed.value)
  const refusal = engine.firstRefusal(checked)
  if (refusal || !checked.ok) return aside(refusal?.message ?? 'It is not signed.')
  const read = engine.readAnswer(parsed.value, checked.value)
  if (!read.ok) return aside(read.refusal.message)
  if (read.value.lines.length + read.value.envelopes.length > RECEPTION.answer_lines)
    return aside('It speaks of more documents than an envelope holds.')
  const { signer, certificates } = outerOf(checked.value, parsed.value.root)
  return {
    answer: clipped(read.value),
    signer: signer && { rut: signer.rut, valid_from: signer.valid_from, valid_until: signer.valid_until },
    issuer: engine.findIssuer(certificates, authorities),
  }
}

/** The signature of the file itself; `readAnswer` took nothing without it. */
function outerOf(signatures: readonly CheckedSignature[], root: object): CheckedSignature {
  return signatures.find(({ container }) => container === root) as CheckedSignature
}

function clipped(answer: ReadAnswer): ReadAnswer {
  const brief = <T extends { readonly reason: string | undefined }>(said: T): T => ({
    ...said,
    reason: said.reason === undefined ? undefined : clip(said.reason, GLOSA_LETTERS),
  })
  return { ...answer, lines: answer.lines.map(brief), envelopes: answer.envelopes.map(brief) }
}
