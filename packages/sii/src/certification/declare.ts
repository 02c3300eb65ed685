import { dashedDate } from '../dates.ts'
import { drift } from '../failure.ts'
import { acting, looking } from '../portal/effects.ts'
import type { Form, Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type Advance, advanceOf, enterAdvance, type SetAdvance } from './advance.ts'
import { type CertificationQuestion, certifying, entered, requireForm } from './door.ts'
import { type CertificationReason, reasonOf, refusalOf } from './refusals.ts'
import { type SetKind, setKind, setState } from './sets.ts'

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
  /** Those that the SII has for review now. */
  readonly taken: readonly SetKind[]
  /** What it said of those that it did not take. Where it says nothing of one, the order fails. */
  readonly refused: readonly SetRefusal[]
}

export interface SetRefusal {
  readonly kind: SetKind
  readonly reason: CertificationReason
  readonly sentence: string
}

/**
 * Declares what was uploaded (`pe_avance3`), so that the SII reviews it: an envelope that was processed advances nothing
 * by itself. What the page answers is not known; the table, read again, says what it took. A set that has been declared
 * with the same track id is not declared again.
 */
export function declareSets(wire: Wire, sessions: Sessions, order: DeclarationOrder): Promise<Declared> {
  return certifying(wire, sessions, order, 'pe_avance1', async (door) => {
    const { before, open, fields } = await looking(() =>
      enterAdvance(door, order, (page) => {
        const before = advanceOf(page)
        const open = order.sets.filter((set) => !isUnderReview(set, rowOf(before, set)))
        const fields = open.length === 0 ? null : declared(requireForm(page, 'pe_avance3'), before, order, open)
        return { before, open, fields }
      }),
    )
    if (fields === null) return { ...before, taken: order.sets.map(({ kind }) => kind), refused: [] }
    return acting(async () => {
      const said = await door.step('pe_avance3', fields, ({ page }) => ({ value: refusalsIn(page, open) }))
      return enterAdvance(door, order, (page) => {
        const after = advanceOf(page)
        const left = open.filter((set) => !isTaken(set, before, after) || isBlamed(set, after, said))
        const refused = left.flatMap(({ kind }) => said.find((one) => one.kind === kind) ?? [])
        if (refused.length < left.length) throw drift('the declared sets in the table')
        const taken = order.sets.filter((set) => !left.includes(set)).map(({ kind }) => kind)
        return { ...after, taken, refused }
      })
    })
  })
}

function declared(
  form: Form,
  advance: Advance,
  order: DeclarationOrder,
  sets: readonly SetDeclaration[],
): Map<string, string> {
  const fields = entered(form, order)
  for (const set of sets) {
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

const shows = (row: SetAdvance | null, { track_id }: SetDeclaration) =>
  row?.track_id != null && Number(row.track_id) === Number(track_id)

function isUnderReview(set: SetDeclaration, row: SetAdvance | null): boolean {
  return shows(row, set) && (row?.state === 'in_review' || row?.state === 'approved')
}

/** The row left the state it was in, or shows the track id; one that is gone went on with its step. */
function isTaken(set: SetDeclaration, before: Advance, after: Advance): boolean {
  const row = rowOf(after, set)
  if (row === null) return after.step !== null && after.step !== before.step
  if (shows(row, set)) return true
  return row.state !== 'to_do' && row.state !== 'unknown' && row.state !== rowOf(before, set)?.state
}

/** Refused on the spot: the page says why, and the table keeps it. */
function isBlamed(set: SetDeclaration, after: Advance, said: readonly SetRefusal[]): boolean {
  return rowOf(after, set)?.state === 'refused' && said.some(({ kind }) => kind === set.kind)
}

/** What the page says of each set: in its row, in place of a state, or for the whole page. */
function refusalsIn(page: Page, sets: readonly SetDeclaration[]): SetRefusal[] {
  const whole = refusalOf(page)?.facts
  return sets.flatMap(({ kind }): SetRefusal[] => {
    const rows = page.rows.map((cells) => cells.filter((cell) => /[A-Za-z]{3}/.test(cell)))
    const [, ...words] = rows.find(([label = '']) => setKind(label) === kind) ?? []
    const [sentence] = words.some((cell) => setState(cell) !== null) ? [] : words
    if (sentence !== undefined) return [{ kind, reason: reasonOf(sentence), sentence }]
    if (whole == null) return []
    return [{ kind, reason: (whole.reason ?? 'other') as CertificationReason, sentence: whole.glosa ?? '' }]
  })
}
