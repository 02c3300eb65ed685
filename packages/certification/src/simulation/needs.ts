import type { TipoDte } from '@timbre/dte/values'
import type { Business } from './business.ts'

/** The SII asks for 10 to 100 documents (manual de certificación). We send few: folios of certification are scarce. */
export const MIN_DOCUMENTS = 10
export const MAX_DOCUMENTS = 100

/** What a simulation may hold besides notes, in the order of its envelope. */
export const ORIGINALS = [33, 34, 46, 52] as const satisfies readonly TipoDte[]
/** A nota de débito may annul a nota de crédito, never the other way round. */
export const NOTES = [61, 56] as const satisfies readonly TipoDte[]
export type OriginalTipo = (typeof ORIGINALS)[number]

const NOTES_NEEDED = { 61: 2, 56: 1 } as const
/** How often each tipo comes up where the empresa has no documents to tell. */
const USUAL = { 33: 4, 34: 2, 46: 1, 52: 2 } as const

export type FoliosNeeded = Readonly<Partial<Record<TipoDte, number>>>

/**
 * How many documents of each tipo a simulation has, known before there are folios: one of each at least, the rest in
 * the proportions in which the empresa issues them. Empty where there is nothing that a note could correct: a nota de
 * débito does not correct a guía.
 */
export function simulationNeeds(business: Business, tipos: readonly TipoDte[]): FoliosNeeded {
  const originals = ORIGINALS.filter((tipo_dte) => tipos.includes(tipo_dte))
  const notes = NOTES.filter((tipo_dte) => tipos.includes(tipo_dte))
  if (originals.length === 0 || (notes.join() === '56' && originals.join() === '52')) return {}
  const issued = (tipo_dte: OriginalTipo) =>
    business.documents.filter((document) => document.tipo_dte === tipo_dte).length
  const known = originals.some((tipo_dte) => issued(tipo_dte) > 0)
  const weight = (tipo_dte: OriginalTipo) => (known ? issued(tipo_dte) : USUAL[tipo_dte])
  const counts = new Map<TipoDte, number>(originals.map((tipo_dte) => [tipo_dte, 1]))
  for (const tipo_dte of notes) counts.set(tipo_dte, NOTES_NEEDED[tipo_dte])
  const sum = () => [...counts.values()].reduce((all, count) => all + count, 0)
  while (sum() < MIN_DOCUMENTS) {
    const share = (tipo_dte: OriginalTipo) => weight(tipo_dte) / ((counts.get(tipo_dte) ?? 0) + 1)
    const next = originals.reduce((best, tipo_dte) => (share(tipo_dte) > share(best) ? tipo_dte : best))
    counts.set(next, (counts.get(next) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
