import type { SiiVerdict } from '../../../ports/sii.ts'
import type { Explanation } from './schema.ts'

/** Explains the SII's answer to the person who has to act; null for an accepted document. */
export async function explainVerdict({ outcome, estado, finding, glosa }: SiiVerdict): Promise<Explanation | null> {
  if (outcome === 'accepted') return null
  const { explain } = await import('@timbre/dte/emission')
  // Without a finding its state says the most: of a document that is observed, and of an envelope that was refused.
  const plain = outcome === 'reparo' ? 'boleta' : 'envio'
  const { code, field, message, hint } = explain(
    finding === null
      ? { source: plain, code: estado, text: glosa }
      : { source: 'validation', code: finding, text: glosa },
  )
  return { code, field, message, fix: hint }
}
