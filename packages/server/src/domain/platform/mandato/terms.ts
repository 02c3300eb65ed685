import { createHash } from 'node:crypto'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { PublicContext } from '../../context.ts'
import type { MandatoTerms } from './schema.ts'
import { TERMS_TEXTS, type TermsText } from './terms-text.ts'

/** The whole text as it is shown and signed: its title, then its clauses in order. */
export function showTerms({ version, published_at, title, clauses }: TermsText): MandatoTerms {
  const numbered = clauses.map((clause, index) => `${index + 1}. ${clause.title}\n${clause.text}`)
  const text = [title, ...numbered].join('\n\n')
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex')
  return { object: 'mandato_terms', version, published_at, title, text, clauses: [...clauses], sha256 }
}

/** Newest last. */
export const TERMS: readonly MandatoTerms[] = TERMS_TEXTS.map(showTerms)

/** The text that is signed today. */
export function currentTerms(terms: readonly MandatoTerms[] = TERMS): MandatoTerms {
  const newest = terms.at(-1)
  if (!newest) throw new Error('there is no text of the mandato')
  return newest
}

export const findTerms = (version: string, terms: readonly MandatoTerms[] = TERMS): MandatoTerms | null =>
  terms.find((one) => one.version === version) ?? null

export const unknownTerms = () =>
  invalidField('terms_version', 'no text of the mandato has that version; GET /mandato_terms shows it.')

/** The text of a version that somebody signs: today's, for an older one is not what they should be bound by. */
export function termsToSign(version: string, terms: readonly MandatoTerms[] = TERMS): MandatoTerms {
  const found = findTerms(version, terms)
  if (!found) throw unknownTerms()
  return requireCurrent(version, terms)
}

/** The same for a text that was signed before. */
export function requireCurrent(version: string, terms: readonly MandatoTerms[] = TERMS): MandatoTerms {
  const current = currentTerms(terms)
  if (version === current.version) return current
  throw new Problem('mandato_terms_outdated', {
    param: 'terms_version',
    details: { signed_version: version, current_version: current.version },
  })
}

export async function readTerms(_ctx: PublicContext, { version }: { version?: string }): Promise<MandatoTerms> {
  if (version === undefined) return currentTerms()
  const found = findTerms(version)
  if (!found) throw new Problem('mandato_terms_not_found', { param: 'version' })
  return found
}
