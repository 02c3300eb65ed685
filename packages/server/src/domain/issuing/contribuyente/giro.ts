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

const HANGING = new Set('de del la las el los y e o u en por para con sin a al su sus n'.split(' '))
const SEPARATORS = ' ,;:.(-'

/** Drops words that say nothing at the end of a cut text, and marks that nothing follows. */
function withoutHanging(text: string): string {
  const isMark = (at: number) => SEPARATORS.includes(text.charAt(at))
  let kept = text.length
  for (let end = kept; end > 0; ) {
    while (end > 0 && isMark(end - 1)) end--
    kept = end
    let start = end
    while (start > 0 && !isMark(start - 1)) start--
    if (start === 0 || !HANGING.has(text.slice(start, end).toLowerCase())) break
    end = start
  }
  return text.slice(0, kept)
}

/** Drops a parenthesis that was cut before its end. */
function withoutOpenParenthesis(text: string): string {
  const open = text.indexOf('(', text.lastIndexOf(')') + 1)
  return open < 0 ? text : text.slice(0, open)
}

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
  return withoutHanging(withoutOpenParenthesis(cut)) || cut
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
