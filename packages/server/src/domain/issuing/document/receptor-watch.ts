import { ANSWER_DAYS, ANSWERABLE_TIPOS, DAY_MS, type TipoDte } from '@timbre/dte/values'
import { daysFrom } from '../../../kernel/clock.ts'
import type { Watched } from './jobs.ts'
import { isClaimedAtSii } from './receptor-standing.ts'
import type { DocumentRow } from './show.ts'
import type { SettledStretch } from './store.ts'

// Which documents are watched by one job, and when it asks. An empresa has one for each day and tipo, however its documents came:
// one for each document would run nine times for it, which is more than all of its emission.

const HOUR_MS = 3_600_000
/** So that one job asks for no more than the register answers in a few minutes. */
const STRETCH = 500
/** How long an SII that does not answer is asked after the eight days. */
const PATIENCE_DAYS = 30

type Stretch = Extract<Watched, { readonly day: string }>

/** Ley 19.983, art. 3: eight days from when the SII received it. */
export const endOf = ({ sent_at, created_at }: Pick<DocumentRow, 'sent_at' | 'created_at'>) =>
  daysFrom(sent_at ?? created_at, ANSWER_DAYS)

/** An hour after the end, so that the register shows what came at the last minute; on the hour, so that those of one hour go together. */
export const closingOf = (row: Pick<DocumentRow, 'sent_at' | 'created_at'>) =>
  Math.ceil(endOf(row).getTime() / HOUR_MS + 1) * HOUR_MS

/** The jobs that watch documents which were just settled. */
export function stretchesOf(rows: readonly DocumentRow[]): ReadonlyMap<string, Stretch> {
  const stretches = new Map<string, Stretch>()
  for (const { tipo_dte, folio, settled_at } of rows) {
    if (!ANSWERABLE_TIPOS.includes(tipo_dte) || folio === null || settled_at === null) continue
    const day = settled_at.toISOString().slice(0, 10)
    const from_folio = folio - (folio % STRETCH)
    stretches.set(`${day}:${tipo_dte}:${from_folio}`, { day, tipo_dte: tipo_dte as TipoDte, from_folio })
  }
  return stretches
}

export function settledIn({ day, tipo_dte, from_folio }: Stretch): SettledStretch {
  const from = new Date(`${day}T00:00:00Z`)
  return { tipo_dte, from_folio, folios: STRETCH, from, until: new Date(from.getTime() + DAY_MS) }
}

/** Whether the register said all that it will, or what was annulled is of no interest to anybody. */
function isClosed({ status, receptor_response }: DocumentRow): boolean {
  const answers = receptor_response ?? []
  const decided = ['accepted', 'accepted_tacitly']
  return (
    status === 'annulled' ||
    isClaimedAtSii(answers) ||
    answers.some(({ source, action }) => source === 'sii' && decided.includes(action))
  )
}

/**
 * Those that the register is asked about now: all of them day by day, and each for the last time in the hour that it closes. What
 * was decided before is asked about then too, for its goods may have been acknowledged since; later only what is open still. In
 * such an hour others wait for their own, if that comes within a day.
 */
export function askedNow(rows: readonly DocumentRow[], now: Date): readonly DocumentRow[] {
  const at = now.getTime()
  const closes = (closing: number) => closing <= at && closing > at - HOUR_MS
  const some_close = rows.some((row) => closes(closingOf(row)))
  return rows.filter((row) => {
    const closing = closingOf(row)
    return closing <= at ? closes(closing) || !isClosed(row) : !some_close || closing > at + DAY_MS
  })
}

/** When to ask next; null when there is nothing left to ask. `told`: whether the register answered this time. */
export function nextLook(rows: readonly DocumentRow[], now: Date, told: boolean): Date | null {
  const closings = rows.map(closingOf)
  const ahead = closings.filter((closing) => closing > now.getTime())
  const tomorrow = daysFrom(now, 1).getTime()
  const forgone = Math.max(...closings) + PATIENCE_DAYS * DAY_MS
  const unanswered = !told && now.getTime() < forgone ? [tomorrow] : []
  // Day by day while any is ahead, also beside one that the SII took up late and is over long before the others.
  const daily = ahead.length > 0 ? [tomorrow] : []
  const looks = [...ahead, ...daily, ...unanswered]
  return looks.length === 0 ? null : new Date(Math.min(...looks))
}
