import { drift } from '../failure.ts'
import { acting, looking } from '../portal/effects.ts'
import type { PageAnswer } from '../portal/judge.ts'
import type { Form, Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'
import { type CertificationQuestion, certifying, enter, entered, requireForm } from './door.ts'
import { refusal, refusalOf } from './refusals.ts'
import { stepSentence } from './sentences.ts'

export interface SetFile {
  /** As the SII wrote it, byte for byte: usually ISO-8859-1 with tabs. */
  readonly file: Uint8Array
  /** The boxes of the page that were ticked, such as `SET01`, with their words. */
  readonly asked: readonly { readonly field: string; readonly label: string }[]
}

/**
 * Asks for a new set of tests, with every part that the page offers (`pe_generar`, `pe_generar1`, `pe_generar2`). It
 * voids the set that was handed out before, and expires after two months (OPERATIONS 1).
 */
export function requestSet(wire: Wire, sessions: Sessions, question: CertificationQuestion): Promise<SetFile> {
  return certifying(wire, sessions, question, 'pe_generar', async (door) => {
    const { form, boxes } = await looking(() =>
      enter(door, question, ['pe_generar', 'pe_generar1'], (page) => readOffer(page)),
    )
    const fields = entered(form, question)
    for (const { name, value } of boxes) fields.set(name, value)
    const file = await acting(() => door.step('pe_generar2', fields, readSetFile))
    return { file, asked: boxes.map(({ name, label }) => ({ field: name, label })) }
  })
}

/** AUTORIZADA and TOTAL are the page's own; each part of the set is a box, or a field that is there already. */
function readOffer(page: Page): { form: Form; boxes: Page['checkboxes'] } {
  const form = requireForm(page, 'pe_generar2')
  const boxes = page.checkboxes.filter(({ name }) => /^SET\d+$/i.test(name))
  const given = [...form.fields.keys()].some((name) => /^SET\d+$/i.test(name))
  if (boxes.length === 0 && !given) throw refusalOf(page) ?? drift('SET01 of pe_generar1')
  return { form, boxes }
}

/** A text that speaks of cases or of a number of attention. Anything else is a page. */
function readSetFile({ kind, text, bytes, page }: PageAnswer): Read<Uint8Array> {
  if (kind === 'text' && /NUMERO DE ATENCI|\bCASO\s+\d/i.test(text)) return { value: new Uint8Array(bytes) }
  const said = stepSentence(page)
  if (said !== null && !said.moved) throw refusal('step_passed', said.sentence)
  throw refusalOf(page) ?? drift('text of the set')
}
