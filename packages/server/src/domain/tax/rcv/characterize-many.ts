import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { checkDecision, decide, decidedRow, refuseClosed } from './decide.ts'
import type { Decided } from './decide-store.ts'
import { isLocked } from './lock.ts'
import type { RcvRow } from './row.ts'
import type { Characterized, CharacterizeMany } from './schema.ts'
import { showEntry } from './show.ts'
import { lockPurchases } from './store.ts'

type Order = CharacterizeMany['entries'][number]
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

/** What stands in the way of each entry is its own; the others are done. */
export async function characterizeMany(ctx: EmpresaContext, { entries }: CharacterizeMany): Promise<Characterized> {
  const rows = await lockPurchases(
    ctx.sql,
    ctx.empresa,
    entries.map(({ entry_id }) => entry_id),
  )
  const locked = await lockedPeriods(ctx, rows)
  const held = new Map(rows.map((row) => [row.id, row]))
  const decided = new Map<string, Decided>()
  const refused = new Map<number, Problem>()
  const judge = (order: Order, i: number): void => {
    const row = held.get(order.entry_id)
    const at = `entries[${i}].`
    if (!row) throw new Problem('rcv_entry_not_found', { param: `${at}entry_id` })
    if (decided.has(row.id)) throw invalidField(`${at}entry_id`, 'it is here twice.')
    if (locked.has(row.period)) throw new Problem('period_locked', { param: `${at}entry_id` })
    checkDecision(order, at)
    refuseClosed(row, `${at}entry_id`)
    decided.set(row.id, decidedRow(row, order, 'caller'))
  }
  entries.forEach((order, i) => {
    try {
      judge(order, i)
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
