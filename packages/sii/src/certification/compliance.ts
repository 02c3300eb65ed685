import { drift } from '../failure.ts'
import type { CgiDoor } from '../portal/cgi.ts'
import type { Checkbox } from '../portal/checkboxes.ts'
import { acting, looking } from '../portal/effects.ts'
import { fold } from '../portal/fold.ts'
import { type Form, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type Approval, requireApproval } from './approval.ts'
import { type CertificationQuestion, certifying, enter, entered } from './door.ts'
import { refusal, refusalOf } from './refusals.ts'
import { type StepSentence, sentencesOf, stepSentence } from './sentences.ts'

/** The declaration has this many statements (OPERATIONS 1). A page with another number is not the one that we know. */
const STATEMENTS = 8

export interface ComplianceOrder extends CertificationQuestion {
  readonly approved_by: Approval
  /** Asked on the last page: whoever approved it may have thought better of it meanwhile. */
  readonly still_wanted?: () => Promise<boolean>
}

export interface Compliance extends StepSentence {
  /** What was declared, in the SII's words; empty where it had been declared before. */
  readonly statements: readonly string[]
  readonly approved_by: Approval
}

/** The statements as the SII puts them today, for whoever has to approve them. Declares nothing. */
export function complianceStatements(
  wire: Wire,
  sessions: Sessions,
  question: CertificationQuestion,
): Promise<readonly string[]> {
  return certifying(wire, sessions, question, 'pe_avance7', async (door) => {
    const page = await looking(() => reachDeclaration(door, question))
    if (page.said !== null) return []
    return page.boxes.map(({ label }) => label)
  })
}

/** Declares compliance, all eight statements (`pe_avance7`, `pe_avance8` twice, `pe_avance9`). It cannot be undone. */
export async function declareCompliance(wire: Wire, sessions: Sessions, order: ComplianceOrder): Promise<Compliance> {
  const { approved_by } = order
  requireApproval(approved_by)
  return certifying(wire, sessions, order, 'pe_avance7', async (door) => {
    const page = await looking(() => reachDeclaration(door, order))
    if (page.said !== null) return { ...page.said, moved: false, statements: [], approved_by }
    const ticked = new Set(page.boxes.map(({ name }) => name))
    const fields = [
      ...[...entered(page.form, order)].filter(([name]) => !ticked.has(name)),
      ...page.boxes.map(({ name, value }): [string, string] => [name, value]),
    ]
    if (order.still_wanted && !(await order.still_wanted())) throw refusal('other', 'Nobody wants it any more.')
    const said = await acting(() => door.step('pe_avance9', fields, ({ page }) => ({ value: readDeclared(page) })))
    return { ...said, statements: page.boxes.map(({ label }) => label), approved_by }
  })
}

type Declaration =
  | { readonly said: StepSentence }
  | { readonly said: null; readonly form: Form; readonly boxes: readonly Checkbox[] }

/** The page before `pe_avance9`. In between `pe_avance8` shows a message that it wants confirmed with OK_MSG. */
async function reachDeclaration(door: CgiDoor, question: CertificationQuestion): Promise<Declaration> {
  const first = await enter(door, question, ['pe_avance7', 'pe_avance8'], (page) => readDeclaration(page, true))
  if (!('again' in first)) return first
  const fields = entered(first.again, question).set('OK_MSG', 'S')
  return door.step('pe_avance8', fields, ({ page }) => {
    const read = readDeclaration(page, false)
    if ('again' in read) throw refusalOf(page) ?? drift('form to pe_avance9')
    return { value: read }
  })
}

function readDeclaration(page: Page, first: boolean): Declaration | { readonly again: Form } {
  const form = formTo(page, 'pe_avance9')
  if (form !== null) {
    const boxes = page.checkboxes
    if (boxes.length !== STATEMENTS) throw drift('eight statements of pe_avance8')
    return { said: null, form, boxes }
  }
  const again = formTo(page, 'pe_avance8')
  if (again !== null && first) return { again }
  const said = declaredIn(page)
  if (said !== null) return { said }
  throw refusalOf(page) ?? drift('form to pe_avance9')
}

function readDeclared(page: Page): StepSentence {
  const said = declaredIn(page)
  if (said === null) throw refusalOf(page) ?? drift('sentence of pe_avance9')
  return said
}

/** How pe_avance9 says it is in no source (see UNVERIFIED): that the certification ended, or that it was declared. */
function declaredIn(page: Page): StepSentence | null {
  const said = stepSentence(page)
  if (said?.step === 'finished') return said
  const done = /declaracion de cumplimiento[^.]{0,60} (fue|ha sido) (efectuad|realizad|registrad|aceptad|recibid)a/
  const before = /\bya (efectuo|realizo|declaro|ha (efectuado|realizado|declarado))[^.]{0,40}cumplimiento/
  for (const sentence of sentencesOf(page)) {
    const folded = fold(sentence)
    const moved = done.test(folded)
    if (moved || before.test(folded)) return { moved, step: 'finished', sentence }
  }
  return null
}
