import type { XmlElement } from '@timbre/dte'
import { AnswerFault, drift, refused, unavailable } from './failure.ts'

/**
 * What became of the documents of an envelope. `mixed`: the counters of the SII do not tell them apart, so each has to
 * be asked for. `lost`: the SII no longer finds the file (VOF), so it has to be sent again.
 */
export type EnvelopeOutcome = 'pending' | 'accepted' | 'reparo' | 'rejected' | 'lost' | 'mixed'

/** Documents of one tipo in an envelope, counted by the SII. */
export interface TipoCount {
  readonly tipo_dte: number
  readonly informed: number
  readonly accepted: number
  readonly rejected: number
  readonly reparos: number
  readonly outcome: EnvelopeOutcome
}

/** One thing that the SII found in a document, under the name it has in its manuals: `DTE-3-505`. */
export interface Finding {
  readonly code: string | null
  readonly glosa: string
}

/** A document that was not simply accepted. */
export interface JudgedDocument {
  readonly tipo_dte: number
  readonly folio: number
  readonly estado: string
  readonly glosa: string | null
  readonly outcome: 'accepted' | 'reparo' | 'rejected'
  readonly findings: readonly Finding[]
}

export interface EnvelopeStatus {
  readonly track_id: string
  readonly estado: string
  readonly glosa: string | null
  /** False for an estado that is in no manual. It counts as pending. */
  readonly known: boolean
  /** The SII is done with it: asking again changes nothing, but for a later claim or annulment. */
  readonly processed: boolean
  readonly outcome: EnvelopeOutcome
  readonly by_tipo: readonly TipoCount[]
  /** Those with findings, where the service tells them one by one (boletas); null where it does not. */
  readonly documents: readonly JudgedDocument[] | null
  /** When the SII received it, where the service tells. */
  readonly received_at: Date | null
}

/**
 * States of an envelope (SII, Consulta de estado de DTE v1.10, and the boleta API). EPR is not acceptance: it says that
 * the counters are final.
 */
const ESTADOS: Readonly<Record<string, EnvelopeOutcome | 'counted'>> = {
  REC: 'pending',
  SOK: 'pending',
  CRT: 'pending',
  FOK: 'pending',
  PRD: 'pending',
  PDR: 'pending',
  EPR: 'counted',
  RLV: 'reparo',
  RPR: 'reparo',
  RSC: 'rejected',
  RFR: 'rejected',
  RCT: 'rejected',
  RPT: 'rejected',
  RCH: 'rejected',
  RCO: 'rejected',
  VOF: 'lost',
  // Of a book: its schema is right, it squares, it does not, a book of that month was closed before. Public answers of the
  // SII show these four; those of its schema, its signature and its carátula are spelled by analogy (see UNVERIFIED).
  LSO: 'pending',
  LOK: 'accepted',
  LRH: 'rejected',
  LNC: 'rejected',
  LRS: 'rejected',
  LRF: 'rejected',
  LRC: 'rejected',
}

/** Whether an estado says that the SII took nothing of the file. */
export const isRefusedEnvelope = (estado: string): boolean => ESTADOS[estado] === 'rejected'

type Seen = Pick<EnvelopeStatus, 'track_id' | 'estado' | 'glosa' | 'documents' | 'received_at'> & {
  readonly counts: readonly Omit<TipoCount, 'outcome'>[]
  /** A file without documents has no counters: processed is then all that there is to say of it. */
  readonly may_count_nothing?: boolean | undefined
}

export function envelopeStatus({ counts, may_count_nothing = false, ...seen }: Seen): EnvelopeStatus {
  const meant = ESTADOS[seen.estado]
  const uncounted = meant === 'counted' && counts.length === 0
  if (uncounted && !may_count_nothing) throw drift('counters of EPR', seen.estado)
  const meaning = uncounted ? 'accepted' : meant
  const by_tipo = counts.map((count) => ({ ...count, outcome: outcomeOf(meaning, count) }))
  const outcomes = new Set(by_tipo.map(({ outcome }) => outcome))
  const [counted = 'mixed'] = outcomes.size === 1 ? outcomes : []
  const outcome = meaning === 'counted' ? counted : (meaning ?? 'pending')
  return { ...seen, known: meaning !== undefined, processed: outcome !== 'pending', outcome, by_tipo }
}

/** An estado that is in no manual counts as pending, and somebody must look. */
export const driftOf = ({ known }: { readonly known: boolean }): { readonly drift?: string } =>
  known ? {} : { drift: 'ESTADO that is in a manual' }

function outcomeOf(
  meaning: EnvelopeOutcome | 'counted' | undefined,
  { informed, accepted, rejected, reparos }: Omit<TipoCount, 'outcome'>,
): EnvelopeOutcome {
  if (meaning !== 'counted') return meaning ?? 'pending'
  if (accepted === informed && rejected === 0 && reparos === 0) return 'accepted'
  if (reparos === informed && rejected === 0 && accepted === 0) return 'reparo'
  if (rejected === informed && accepted === 0 && reparos === 0) return 'rejected'
  return 'mixed'
}

/** What is known of every document of a tipo. */
export function outcomeForTipo(status: EnvelopeStatus, tipo_dte: number): EnvelopeOutcome {
  const counts = status.by_tipo.filter((count) => count.tipo_dte === tipo_dte)
  if (counts.length === 1 && counts[0] !== undefined) return counts[0].outcome
  return status.by_tipo.length === 0 ? status.outcome : 'mixed'
}

const COUNTERS = { INFORMADOS: 'informed', ACEPTADOS: 'accepted', RECHAZADOS: 'rejected', REPAROS: 'reparos' } as const

/**
 * Runs of five elements side by side, without anything around each: a new one begins where a tipo is named. What else
 * stands among them is not ours to count.
 */
export function readCounters(body: XmlElement | undefined): Seen['counts'] {
  const runs: Map<string, number>[] = []
  for (const { name, text } of body?.children ?? []) {
    if (name === 'TIPO_DOCTO') runs.push(new Map())
    if (name === 'TIPO_DOCTO' || name in COUNTERS) runs.at(-1)?.set(name, countOf(text, name))
  }
  return runs.map((run) => {
    const at = (name: string) => {
      const count = run.get(name)
      if (count === undefined) throw drift(name)
      return count
    }
    const counters = Object.entries(COUNTERS).map(([name, field]) => [field, at(name)] as const)
    return { tipo_dte: at('TIPO_DOCTO'), ...(Object.fromEntries(counters) as Record<Counter, number>) }
  })
}

type Counter = (typeof COUNTERS)[keyof typeof COUNTERS]

export function countOf(text: string, name: string): number {
  const trimmed = text.trim()
  if (!/^\d{1,9}$/.test(trimmed)) throw drift(name)
  return Number(trimmed)
}

/** Troubles of the SII itself while it looks (QueryEstUp, QueryEstDte). */
const QUERY_INTERNAL = new Set(['-1', '-2', '-11', '-12'])

/** Our name for what the SII says of a track id under which it finds nothing. */
export const ENVELOPE_NOT_FOUND = 'envelope_not_found'

/**
 * It looked and found no envelope under that track id. It may show it later, or have lost it: its documents tell (see
 * UNVERIFIED.envelope_not_found).
 */
export function envelopeNotFound(estado: string, glosa: string | null): AnswerFault {
  const reason = ENVELOPE_NOT_FOUND
  return new AnswerFault({ kind: 'refused', retry: 'later', estado, glosa, reason, sent: false })
}

/** What QueryEstUp answers where it finds nothing, as far as is known. */
const NOT_FOUND = '-11'

/** The same as `requireState`, for a question about an envelope. */
export function requireEnvelopeState(estado: string, glosa: string | null): void {
  if (estado === NOT_FOUND) throw envelopeNotFound(estado, glosa)
  requireState(estado, glosa)
}

/**
 * A number in place of a state is about the question: no permission, or data that it does not take. The envelope is
 * where it was, so it is asked for again, but not at once.
 */
export function requireState(estado: string, glosa: string | null): void {
  if (!/^-?\d+$/.test(estado)) return
  throw QUERY_INTERNAL.has(estado) ? unavailable(estado, glosa) : refused(estado, glosa, 'minutes')
}
