import { drift } from '../failure.ts'
import { acting, looking } from '../portal/effects.ts'
import { formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { enterAdvance } from './advance.ts'
import { type CertificationQuestion, certifying, companyFields, entered } from './door.ts'
import { refusalOf } from './refusals.ts'
import { type StepSentence, stepSentence } from './sentences.ts'

/** Asks to pass to the next step (`pe_avance4`). One that it has reached already is no refusal: `moved` tells. */
export function goOn(wire: Wire, sessions: Sessions, question: CertificationQuestion): Promise<StepSentence> {
  return certifying(wire, sessions, question, 'pe_avance1', async (door) => {
    // Where the page offers no form for it, the program is asked with the company alone: see UNVERIFIED.
    const fields = await looking(() =>
      enterAdvance(door, question, (page) => {
        const form = formTo(page, 'pe_avance4')
        return form === null ? new Map(companyFields(question)) : entered(form, question)
      }),
    )
    return acting(() => door.step('pe_avance4', fields, ({ page }) => ({ value: requireSentence(page) })))
  })
}

/**
 * A page that says neither that it moved nor that it stands there is a refusal, or one that we do not know. With the
 * certification finished, the declaration of compliance is left.
 */
function requireSentence(page: Page): StepSentence {
  const said = stepSentence(page)
  if (said === null) throw refusalOf(page) ?? drift('sentence of the step')
  return said.step === 'finished' ? { ...said, step: 'cumplimiento' } : said
}
