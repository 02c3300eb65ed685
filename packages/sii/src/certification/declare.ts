import { dashedDate } from '../dates.ts'
import { type AnswerFault, drift } from '../failure.ts'
import { acting, looking } from '../portal/effects.ts'
import type { Form } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type Advance, advanceOf, enterAdvance, type SetAdvance } from './advance.ts'
import { type CertificationQuestion, certifying, entered, requireForm } from './door.ts'
import { refusalOf } from './refusals.ts'
import type { SetKind } from './sets.ts'

export interface SetDeclaration {
  readonly kind: SetKind
  /** Of the envelope or the book that was uploaded. */
  readonly track_id: string
  /** The day of the upload in Santiago, `YYYY-MM-DD`. */
  readonly date: string
}

export interface DeclarationOrder extends CertificationQuestion {
  readonly sets: readonly SetDeclaration[]
}

export interface Declared extends Advance {
  /** Those that the SII took. Where it took none, the order fails. */
  readonly taken: readonly SetKind[]
  /** What it said of the others, where it said something. */
  readonly refusal: { readonly reason: string; readonly sentence: string } | null
}

/**
 * Declares what was uploaded (`pe_avance3`), so that the SII reviews it: an envelope that was processed advances nothing
 * by itself. What the page answers is not known; the table, read again, says what it took.
 */
export function declareSets(wire: Wire, sessions: Sessions, order: DeclarationOrder): Promise<Declared> {
  return certifying(wire, sessions, order, 'pe_avance1', async (door) => {
    const { before, fields } = await looking(() =>
      enterAdvance(door, order, (page) => {
        const before = advanceOf(page)
        return { before, fields: declared(requireForm(page, 'pe_avance3'), before, order) }
      }),
    )
    return acting(async () => {
      const refused = await door.step('pe_avance3', fields, ({ page }) => ({ value: refusalOf(page) }))
      return enterAdvance(door, order, (page) => {
        const after = advanceOf(page)
        const sets = order.sets.filter((set) => isTaken(set, rowOf(before, set), rowOf(after, set)))
        if (sets.length === 0) throw refused ?? drift('the declared sets in the table')
        const all = sets.length === order.sets.length
        return { ...after, taken: sets.map(({ kind }) => kind), refusal: all ? null : wordsOf(refused) }
      })
    })
  })
}

function declared(form: Form, advance: Advance, order: DeclarationOrder): Map<string, string> {
  const fields = entered(form, order)
  for (const set of order.sets) {
    const row = rowOf(advance, set)
    if (row === null) throw drift(`row of ${set.kind}`)
    const { track_id, date } = fieldsOf(row)
    fields.set(track_id, set.track_id)
    fields.set(date, dashedDate(set.date))
  }
  return fields
}

/** Two fields in each row: the one named after a date is the date. Their names are in no source (see UNVERIFIED). */
function fieldsOf({ kind, inputs }: SetAdvance): { track_id: string; date: string } {
  const dates = inputs.filter((name) => /FEC|FCH|DATE/i.test(name))
  const others = inputs.filter((name) => !dates.includes(name))
  const [date] = dates
  const [track_id] = others
  if (date === undefined || track_id === undefined || inputs.length !== 2) throw drift(`fields of ${kind}`)
  return { track_id, date }
}

function rowOf({ sets }: Advance, { kind }: SetDeclaration): SetAdvance | null {
  const rows = sets.filter((set) => set.kind === kind)
  if (rows.length > 1) throw drift(`one row of ${kind}`)
  return rows[0] ?? null
}

/** The row left the state it was in, or shows the track id; one that is gone went on with its step. */
function isTaken(set: SetDeclaration, before: SetAdvance | null, after: SetAdvance | null): boolean {
  if (after === null) return true
  if (after.track_id !== null && Number(after.track_id) === Number(set.track_id)) return true
  return after.state !== 'to_do' && after.state !== before?.state
}

function wordsOf(refused: AnswerFault | null): Declared['refusal'] {
  return refused === null ? null : { reason: refused.facts.reason ?? 'other', sentence: refused.facts.glosa ?? '' }
}
