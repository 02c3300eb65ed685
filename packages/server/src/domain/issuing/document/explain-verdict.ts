import type { SiiStatus, SiiVerdict } from '../../../ports/sii.ts'
import type { Explanation } from './schema.ts'

type Told = NonNullable<SiiStatus['told']>

/** Explains the SII's answer to the person who has to act; null for an accepted document. */
export async function explainVerdict({ outcome, ...said }: SiiVerdict): Promise<Explanation | null> {
  if (outcome === 'accepted') return null
  const { explainSettled } = await import('@timbre/dte/emission')
  const { code, field, message, hint } = explainSettled({ outcome, ...said })
  return { code, field, message, fix: hint }
}

/**
 * Explains what the SII said of an envelope of which it has no verdict; null where it only says that it is at work on it. A
 * number in place of a state is about the question.
 */
export async function explainStanding({ estado, glosa }: Told): Promise<Explanation | null> {
  const { explain } = await import('@timbre/dte/emission')
  const source = /^[A-Z]{3}$/.test(estado) ? 'envio' : 'envio_query'
  const { code, outcome, field, message, hint } = explain({ source, code: estado, text: glosa ?? undefined })
  const at_work = outcome === 'in_progress' && code !== 'sii_unknown_answer'
  return at_work ? null : { code, field, message, fix: hint }
}
