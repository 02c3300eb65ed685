import { loneAlert } from '../portal/alerts.ts'
import { fold } from '../portal/fold.ts'
import type { Page } from '../portal/page.ts'

/** Where a certification stands, in the order of the SII. */
export type CertificationStep =
  | 'set_de_pruebas'
  | 'simulacion'
  | 'intercambio'
  | 'muestras_impresas'
  | 'cumplimiento'
  | 'finished'

const ORDER: readonly CertificationStep[] = [
  'set_de_pruebas',
  'simulacion',
  'intercambio',
  'muestras_impresas',
  'cumplimiento',
  'finished',
]

export const isAfter = (step: CertificationStep, other: CertificationStep): boolean =>
  ORDER.indexOf(step) > ORDER.indexOf(other)

/** The names of the steps as they may stand in a sentence; how the SII spells each is not verified. */
const STEPS: readonly (readonly [CertificationStep, RegExp])[] = [
  ['cumplimiento', /cumplimiento/],
  ['muestras_impresas', /muestras?|impres[oa]s?|impresion/],
  ['intercambio', /intercambio/],
  ['simulacion', /simulacion/],
  // The declaration is made: what is left is the SII's.
  ['finished', /\bautoriza(cion|d[ao])/],
  ['set_de_pruebas', /\bsets?\b( de)?( prueba| basico)?/],
]

/** What a page says of the way: the three sentences that are known, read in place of a status (OPERATIONS 1). */
export interface StepSentence {
  /** Whether this act moved it. "Ya se encuentra en el paso" says that nothing was left to do. */
  readonly moved: boolean
  /** Null where the sentence names none that we know. */
  readonly step: CertificationStep | null
  readonly sentence: string
}

const FINISHED = /(?<!\bno )ha finalizado (con )?(la|el proceso de) certificacion/
const MOVED = /(?<already>ya se encuentra en|ha pasado a)l? ?(el )?paso\b(?<step>.{0,120})/

export function stepSentence(page: Page): StepSentence | null {
  for (const sentence of sentencesOf(page)) {
    const folded = fold(sentence)
    const found = MOVED.exec(folded)
    // One page may say both: then the step that it names is the news.
    if (found === null && FINISHED.test(folded)) {
      return { moved: !/\bya ha finalizado/.test(folded), step: 'finished', sentence }
    }
    if (found === null) continue
    const moved = found.groups?.already?.startsWith('ha') ?? false
    return { moved, step: stepNamed(found.groups?.step ?? ''), sentence }
  }
  return null
}

/** The step that words in lower case and without accents name. */
export function stepNamed(folded: string): CertificationStep | null {
  return STEPS.find(([, pattern]) => pattern.test(folded))?.[0] ?? null
}

/** What a page says to a person: its only alert, then its text piece by piece. */
export function sentencesOf(page: Page): string[] {
  const alert = loneAlert(page.alerts)
  const whole = page.text.slice(0, 2_000)
  return [...(alert === null ? [] : [alert]), ...page.pieces, whole].map((text) => text.slice(0, 500))
}
