import { drift } from '../failure.ts'
import { acting, looking } from '../portal/effects.ts'
import { formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { enterAdvance, shownStep } from './advance.ts'
import { type CertificationQuestion, certifying, companyFields, entered } from './door.ts'
import { refusalOf } from './refusals.ts'
import { type CertificationStep, isAfter, type StepSentence, stepSentence } from './sentences.ts'

export interface GoOnOrder extends CertificationQuestion {
  /** The step that is finished. A taxpayer that has left it is not moved again. */
  readonly from: CertificationStep
}

/**
 * Asks to pass to the next step (`pe_avance4`). One that it has reached already is no refusal: `moved` tells. Where the
 * page shows that the step was left before, nothing is asked.
 */
export function goOn(wire: Wire, sessions: Sessions, order: GoOnOrder): Promise<StepSentence> {
  return certifying(wire, sessions, order, 'pe_avance1', async (door) => {
    // Where the page offers no form for it, the program is asked with the company alone: see UNVERIFIED.
    const reached = await looking(() =>
      enterAdvance(door, order, (page) => {
        const left = leftBefore(page, order.from)
        if (left !== null) return left
        const form = formTo(page, 'pe_avance4')
        return form === null ? new Map(companyFields(order)) : entered(form, order)
      }),
    )
    if (!(reached instanceof Map)) return reached
    return acting(() => door.step('pe_avance4', reached, ({ page }) => ({ value: requireSentence(page) })))
  })
}

function leftBefore(page: Page, from: CertificationStep): StepSentence | null {
  const shown = saidIn(page) ?? shownStep(page)
  if (shown?.step == null || !isAfter(shown.step, from)) return null
  return { moved: false, step: shown.step, sentence: shown.sentence }
}

/** A page that says neither that it moved nor that it stands there is a refusal, or one that we do not know. */
function requireSentence(page: Page): StepSentence {
  const said = saidIn(page)
  if (said === null) throw refusalOf(page) ?? drift('sentence of the step')
  return said
}

/** With the certification finished, the declaration of compliance is left. */
function saidIn(page: Page): StepSentence | null {
  const said = stepSentence(page)
  return said?.step === 'finished' ? { ...said, step: 'cumplimiento' } : said
}
