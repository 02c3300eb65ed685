import { ACTECOS } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { CURATED_GIROS } from './curated-giros.ts'

export interface Activity {
  readonly code: string
  readonly description: string | null
}

export interface SuggestedGiro {
  readonly text: string
  readonly basis: 'curated' | 'sii_description'
}

// Words that say nothing at the end of a cut text.
const HANGING = /[\s,;:.(-]+(?:(?:de|del|la|las|el|los|y|e|o|u|en|por|para|con|sin|a|al|su|sus|n)[\s,;:.(-]*)*$/iu

function words(text: string): Set<string> {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  return new Set(plain.match(/[A-Z]{3,}/g) ?? [])
}

/** Whether two descriptions speak of the same thing: most of their words are shared. */
function agree(one: string, other: string): boolean {
  const [a, b] = [words(one), words(other)]
  const shared = [...a].filter((word) => b.has(word)).length
  return shared * 2 >= new Set([...a, ...b]).size
}

/**
 * The SII's present name of an activity. Null where the nómina describes something else under that code: taxpayers of
 * before November 2018 carry codes of an older list, whose numbers mean other things today.
 */
function presentName({ code, description }: Activity): string | null {
  const name = ACTECOS[Number(code)]
  if (name === undefined) return null
  return description === null || agree(name, description) ? name : null
}

/** Cuts at a word, drops what would hang, and keeps to the characters a document can carry. */
export function fitGiro(text: string): string {
  const printable = text
    .normalize('NFC')
    .replace(/[^\x20-\x7e\xa0-\xff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (printable.length <= CEILINGS.giro) return printable
  const longest = printable.slice(0, CEILINGS.giro + 1)
  const boundary = longest.lastIndexOf(' ')
  const cut = boundary > 0 ? longest.slice(0, boundary) : longest.slice(0, CEILINGS.giro)
  return (
    cut
      .replace(/\s*\([^)]*$/, '')
      .replace(HANGING, '')
      .trim() || cut
  )
}

/** A giro to offer for a contribuyente, from its first activity that says anything. */
export function suggestGiro(activities: readonly Activity[]): SuggestedGiro | null {
  for (const activity of activities) {
    const name = presentName(activity)
    const curated = name === null ? undefined : CURATED_GIROS[activity.code]
    if (curated !== undefined) return { text: curated, basis: 'curated' }
    const text = fitGiro(name ?? activity.description ?? '')
    if (text !== '') return { text, basis: 'sii_description' }
  }
  return null
}
