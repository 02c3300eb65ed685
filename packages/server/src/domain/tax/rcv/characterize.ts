import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { checkDecision, decide, decidedRow, lockOpenPurchase, refuseClosed, revertedRow } from './decide.ts'
import { isLocked } from './period-lock.ts'
import { showWithSuggestion } from './read.ts'
import type { RcvRow } from './row.ts'
import type { Characterize, Characterized, CharacterizeMany, EntryPath, RcvEntry } from './schema.ts'
import { showEntry } from './show.ts'
import { type Decided, lockPurchases } from './store.ts'

/** Saves one decision and answers with the entry as it is now. */
export async function decideOne(ctx: EmpresaContext, row: RcvRow, decided: Decided): Promise<RcvEntry> {
  const [saved] = await decide(ctx, ctx.empresa, [row], [decided])
  return showWithSuggestion(ctx, saved ?? row)
}

/** The decision holds here at once, and the SII is told after. */
export async function characterizePurchase(ctx: EmpresaContext, input: EntryPath & Characterize): Promise<RcvEntry> {
  checkDecision(input)
  const row = await lockOpenPurchase(ctx, input)
  return decideOne(ctx, row, decidedRow(row, input, 'caller'))
}

/** Back to what the SII showed before anybody here decided. One that nobody decided about stays as it is. */
export async function revertPurchase(ctx: EmpresaContext, input: EntryPath): Promise<RcvEntry> {
  const row = await lockOpenPurchase(ctx, input)
  if (row.characterized_by === 'sii' || row.before === null) return showWithSuggestion(ctx, row)
  return decideOne(ctx, row, revertedRow(row, row.before))
}

type Decision = CharacterizeMany['entries'][number]
type Result = Characterized['results'][number]

async function lockedPeriods(ctx: EmpresaContext, rows: readonly RcvRow[]): Promise<Set<string>> {
  const locked = new Set<string>()
  for (const period of new Set(rows.map((row) => row.period))) {
    if (await isLocked(ctx.sql, ctx.empresa, period)) locked.add(period)
  }
  return locked
}

function refusalOf(entry_id: string, error: Problem): Result {
  const { code, message, facts } = error
  return { entry_id, status: 'refused', entry: null, error: { code, message, param: facts.param ?? null } }
}

/** Each entry is refused or characterized by itself. */
export async function characterizeMany(ctx: EmpresaContext, { entries }: CharacterizeMany): Promise<Characterized> {
  const rows = await lockPurchases(
    ctx.sql,
    ctx.empresa,
    entries.map(({ entry_id }) => entry_id),
  )
  const locked = await lockedPeriods(ctx, rows)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  const decided = new Map<string, Decided>()
  const refused = new Map<number, Problem>()
  const check = (decision: Decision, i: number): void => {
    const row = by_id.get(decision.entry_id)
    const at = `entries[${i}].`
    if (!row) throw new Problem('rcv_entry_not_found', { param: `${at}entry_id` })
    if (decided.has(row.id)) throw invalidField(`${at}entry_id`, 'it is here twice.')
    if (locked.has(row.period)) throw new Problem('period_locked', { param: `${at}entry_id` })
    checkDecision(decision, at)
    refuseClosed(row, `${at}entry_id`)
    decided.set(row.id, decidedRow(row, decision, 'caller'))
  }
  entries.forEach((decision, i) => {
    try {
      check(decision, i)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused.set(i, error)
    }
  })
  const saved = new Map((await decide(ctx, ctx.empresa, rows, [...decided.values()])).map((row) => [row.id, row]))
  const results = entries.map(({ entry_id }, i): Result => {
    const error = refused.get(i)
    const row = saved.get(entry_id)
    if (error || !row) return refusalOf(entry_id, error ?? new Problem('rcv_entry_not_found'))
    return { entry_id, status: 'characterized', entry: showEntry(row), error: null }
  })
  return { object: 'rcv_characterization', characterized: saved.size, refused: refused.size, results }
}
