import { drift } from '../failure.ts'
import type { CgiDoor } from '../portal/cgi.ts'
import { looking } from '../portal/effects.ts'
import { fold } from '../portal/fold.ts'
import type { Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type CertificationQuestion, certifying, enter } from './door.ts'
import { refusalOf } from './refusals.ts'
import { type CertificationStep, sentencesOf, stepNamed, stepSentence } from './sentences.ts'
import { type SetKind, type SetState, setKind, setState } from './sets.ts'

/** A set in the table of the advance. */
export interface SetAdvance {
  readonly label: string
  readonly kind: SetKind | null
  /** `unknown` where the SII says something else of it than a state that we know. */
  readonly state: SetState | 'unknown'
  /** The words of the SII for the state. */
  readonly words: string
  /** Of the envelope that was declared, where the table shows it. */
  readonly track_id: string | null
  /** Names of the fields of its row, in their order. */
  readonly inputs: readonly string[]
}

export interface Advance {
  readonly sets: readonly SetAdvance[]
  /** Null where the page does not say it in words that we know. */
  readonly step: CertificationStep | null
  /** What the page says of the way, where it says it in a sentence that we know. */
  readonly sentence: string | null
}

/** The table of sets and states, and the step (`pe_avance1`, `pe_avance2`). */
export function readAdvance(wire: Wire, sessions: Sessions, question: CertificationQuestion): Promise<Advance> {
  return certifying(wire, sessions, question, 'pe_avance1', (door) =>
    looking(() => enterAdvance(door, question, advanceOf)),
  )
}

/** What the SII shows of the way so far (`pe_avance5`, `pe_avance6`). */
export function readProgress(wire: Wire, sessions: Sessions, question: CertificationQuestion): Promise<Advance> {
  return certifying(wire, sessions, question, 'pe_avance5', (door) =>
    looking(() => enter(door, question, ['pe_avance5', 'pe_avance6'], advanceOf)),
  )
}

export function enterAdvance<T>(door: CgiDoor, question: CertificationQuestion, read: (page: Page) => T): Promise<T> {
  return enter(door, question, ['pe_avance1', 'pe_avance2'], read)
}

/** A page without a state and without a known sentence is a refusal, or one that we do not know: never "nothing yet". */
export function advanceOf(page: Page): Advance {
  const sets = page.rows.flatMap((row, index) => setOf(row, page.row_inputs[index] ?? []))
  const said = stepSentence(page)
  const named = said?.step ?? shownStep(page)?.step ?? null
  if (sets.length === 0 && named === null) throw refusalOf(page) ?? drift('table of sets')
  return { sets, step: named, sentence: said?.sentence ?? null }
}

const WORDS = /[A-Za-z]{3}/

/** The row of a set has a cell with its name and one with its state; more may stand between and behind. */
function setOf(row: readonly string[], inputs: readonly string[]): SetAdvance[] {
  const named = row.findIndex((cell) => WORDS.test(cell))
  const label = row[named] ?? ''
  const behind = (is: (cell: string) => boolean) => row.findIndex((cell, index) => index > named && is(cell))
  const known = behind((cell) => setState(cell) !== null)
  const at = known === -1 ? behind((cell) => WORDS.test(cell)) : known
  if (named === -1 || at === -1 || (known === -1 && setKind(label) === null)) return []
  const state = setState(row[at] ?? '') ?? 'unknown'
  const others = row.filter((_cell, index) => index !== at)
  const track_id = others.find((cell) => /^\d{7,15}$/.test(cell) && Number(cell) > 0) ?? null
  return [{ label, kind: setKind(label), state, words: row[at] ?? '', track_id, inputs }]
}

/** "Paso actual: SIMULACION", in whichever of these forms the page has it (not verified). */
export function shownStep(page: Page): { readonly step: CertificationStep; readonly sentence: string } | null {
  for (const [index, sentence] of sentencesOf(page).entries()) {
    const found = /\b(paso|etapa)( actual| en que se encuentra)?( \d)?\s*[:=-]?\s*(?<step>.{0,80})$/.exec(
      fold(sentence),
    )
    const words = found?.groups?.step ?? ''
    const next = words === '' ? (page.pieces[index + 1] ?? '') : ''
    const step = found === null ? null : stepNamed(words === '' ? fold(next) : words)
    if (step !== null) return { step, sentence: `${sentence} ${next}`.trim() }
  }
  return null
}
