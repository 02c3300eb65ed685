import { createHash } from 'node:crypto'
import { type ExplanationCode, MEANINGS, type Meaning } from '@timbre/dte/values'
import { secondsFrom } from '../../../kernel/clock.ts'

/** Refusals in a row of documents of a tipo, for one reason that lies in the data of the empresa. */
export interface DocumentRefusal {
  readonly code: ExplanationCode
  /** The SII's own words. */
  readonly sentence: string
  readonly refusals: number
  /** How often one was let through since they are held, and refused; and whether one is on its way. */
  readonly trials?: number
  readonly trying?: boolean
  /** Instants, ISO 8601. When the first was refused, and when one is let through to ask again. */
  readonly at: string
  readonly retry_at: string
  /** Of the data that it was refused with: with others it is worth a try. */
  readonly data: string
}

/** By tipo. */
export type DocumentRefusals = Readonly<Record<string, DocumentRefusal>>

/** What of an empresa stands in its documents and envelopes. */
interface Emisor {
  readonly legal_name: string
  readonly giro: string | null
  readonly acteco: readonly number[]
  readonly street: string | null
  readonly comuna: string | null
  readonly city: string | null
  readonly codigo_sucursal: string | null
  readonly resolucion_numero: number | null
  readonly resolucion_fecha: string | null
  readonly resolucion_boletas_fecha: string | null
  readonly certificate_until: Date | null
}

interface Held {
  readonly documents_refused: DocumentRefusals
}
type Refused = Emisor & Held

/** So many in a row are no chance: each costs a folio. */
const MOST_REFUSALS = 3

/** Seconds to the next try of one document; the last one repeats. Long, for it costs a folio. */
const RETRY_SECONDS = [900, 3_600, 21_600, 86_400]
/** How long one that is let through has for its verdict before another goes. */
const TRYING_SECONDS = 3_600

/** Whether a reason lies in the data of the empresa, so that its next document meets the same. */
export function isOfEmpresa(code: string): boolean {
  const meaning = (MEANINGS as Readonly<Record<string, Meaning>>)[code]
  return meaning?.field?.startsWith('empresa.') === true
}

/** A digest of the data that stand in what is sent now. */
export function dataOf(row: Emisor): string {
  const { legal_name, giro, acteco, street, comuna, city, codigo_sucursal } = row
  const { resolucion_numero, resolucion_fecha, resolucion_boletas_fecha, certificate_until } = row
  const data = [legal_name, giro, acteco, street, comuna, city, codigo_sucursal]
  const terms = [resolucion_numero, resolucion_fecha, resolucion_boletas_fecha, certificate_until]
  return createHash('sha256')
    .update(JSON.stringify([data, terms]))
    .digest('base64url')
    .slice(0, 22)
}

/**
 * The refusal after some more, of documents that were sent with the data of today. Another reason begins
 * anew, and so do other data, where nothing is held. Where documents are held they stay so, whatever the reason is now: all
 * of them would meet it. Only one that was let through puts off the next: the others left before.
 */
export function refusedOnceMore(
  row: Refused,
  tipo_dte: number,
  { code, sentence, count }: Pick<DocumentRefusal, 'code' | 'sentence'> & { readonly count: number },
  now: Date,
): DocumentRefusal {
  const data = dataOf(row)
  const before = row.documents_refused[tipo_dte]
  const is_held = (before?.refusals ?? 0) >= MOST_REFUSALS
  const same = is_held || (before?.code === code && before.data === data) ? before : undefined
  const is_trial = same !== undefined && (same.trying === true || same.data !== data)
  const refusals = (same?.refusals ?? 0) + count
  const trials = (same?.trials ?? 0) + (is_held && is_trial ? 1 : 0)
  const seconds = RETRY_SECONDS[Math.min(trials, RETRY_SECONDS.length - 1)] ?? 0
  const retry_at = same && is_held && !is_trial ? same.retry_at : secondsFrom(now, seconds).toISOString()
  return { code, sentence, refusals, trials, at: same?.at ?? now.toISOString(), retry_at, data }
}

/** What holds the documents of a tipo; null where nothing does. */
export function holdOf(row: Held, tipo_dte: number): DocumentRefusal | null {
  const refusal = row.documents_refused[tipo_dte]
  return refusal && refusal.refusals >= MOST_REFUSALS ? refusal : null
}

/** Whether one of them may be let through: it is time, or the data are others. */
export function isWorthATry(row: Refused, { retry_at, data }: DocumentRefusal, now: Date): boolean {
  return new Date(retry_at) <= now || data !== dataOf(row)
}

/** The same while one is on its way, until its verdict comes. */
export function beingTriedAgain(row: Refused, refusal: DocumentRefusal, now: Date): DocumentRefusal {
  const retry_at = secondsFrom(now, TRYING_SECONDS).toISOString()
  return { ...refusal, trying: true, retry_at, data: dataOf(row) }
}
