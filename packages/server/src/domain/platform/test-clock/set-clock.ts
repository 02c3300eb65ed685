import { CEILINGS } from '../../../catalog/limits.ts'
import { nowOf, secondsFrom } from '../../../kernel/clock.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { ClockOwner } from '../../../kernel/queue-clock.ts'
import type { AccountContext } from '../../context.ts'
import { lockEmpresaPresence } from '../empresa/lookup.ts'
import { reachEmpresa, reachedRuts } from '../empresa/scope.ts'
import { addDuration, addMonthsUtc } from './duration.ts'
import { advanceClock } from './jobs.ts'
import { type ClockRow, readClock, readHomeClock } from './read-clock.ts'
import type { ClockQuery, SetClock, TestClock } from './schema.ts'
import { lockClock, markAdvancing } from './store.ts'

const WAIT_MS = 25_000
const POLL_MS = 15
/** Before a clock is deleted, what is under way on it ends: nothing of the sandbox takes longer than this. */
const SETTLES_WITHIN_SECONDS = 60

async function ownerOf(ctx: AccountContext, empresa_rut: string | undefined): Promise<ClockOwner> {
  const { account_id } = ctx.account
  if (empresa_rut === undefined) return { account_id, empresa_id: null }
  const { scope } = await reachEmpresa(ctx, ctx.account, ctx.caller, { rut: empresa_rut })
  return { account_id, empresa_id: scope.empresa_id }
}

/** The clock of the account is the time of every empresa that has none of its own: it takes a credential of them all. */
function refuseForeignClock({ caller }: AccountContext, { empresa_rut }: SetClock): void {
  if (empresa_rut !== undefined || reachedRuts(caller) === null) return
  const message = 'This credential reaches some empresas, and the clock of the account is the time of all of them.'
  throw new Problem('empresa_not_allowed', { param: 'empresa_rut', message })
}

/** An empresa that is deleted meanwhile takes its clock with it: no clock is made for it afterwards. */
async function lockOwner(ctx: AccountContext, { account_id, empresa_id }: ClockOwner): Promise<void> {
  if (empresa_id === null) return
  const { mode } = ctx.account
  if (!(await lockEmpresaPresence(ctx.sql, { account_id, mode, empresa_id, rut: '' })))
    throw new Problem('empresa_not_found')
}

function showClock(row: ClockRow, empresa: string | null): TestClock {
  return {
    object: 'test_clock',
    empresa,
    now: nowOf(row).toISOString(),
    frozen: row.frozen_at !== null,
    status: row.status,
    target: row.target?.toISOString() ?? null,
  }
}

function targetOf(input: SetClock, now: Date): Date {
  const target = input.frozen_time !== undefined ? new Date(input.frozen_time) : addDuration(now, input.advance ?? '')
  if (target === null) throw invalidField('advance', 'it must be an ISO 8601 duration such as P1M or PT36H.')
  const param = input.frozen_time !== undefined ? 'frozen_time' : 'advance'
  if (target < now) throw new Problem('test_clock_backwards', { param })
  if (target > addMonthsUtc(now, CEILINGS.clock_advance_months)) {
    throw new Problem('test_clock_backwards', { param, message: 'A test clock moves at most 13 months a call.' })
  }
  return target
}

/**
 * Moves the clock of a sandbox. The move itself is a job, so that a crash on the way loses nothing; the answer
 * waits for it a while and says `ready` once every timer that fell due has fired, in order.
 */
export async function setClock(ctx: AccountContext, input: SetClock): Promise<TestClock> {
  const given = [input.frozen_time, input.advance, input.reset].filter((value) => value !== undefined)
  if (given.length !== 1) throw invalidField('frozen_time', 'send exactly one of frozen_time, advance and reset.')
  refuseForeignClock(ctx, input)
  const owner = await ownerOf(ctx, input.empresa_rut)
  await lockOwner(ctx, owner)
  const clock = await lockClock(ctx.sql, owner)
  if (clock.status === 'advancing') throw new Problem('test_clock_conflict')
  ctx.invalidate(owner.account_id)
  const now = nowOf(clock)
  const home = nowOf(await readHomeClock(ctx.sql, owner))
  const target = input.reset ? home : targetOf(input, now)
  await markAdvancing(ctx.sql, owner, target)
  const until = input.reset && now > home ? secondsFrom(now, SETTLES_WITHIN_SECONDS) : target
  const freezes = input.frozen_time !== undefined || clock.frozen_at !== null
  await ctx.enqueue(advanceClock, {
    payload: {
      empresa_id: owner.empresa_id,
      from: now.toISOString(),
      target: until.toISOString(),
      towards: target.toISOString(),
      freezes,
      returns: input.reset === true,
    },
    real_time: true,
  })
  return showClock({ ...clock, status: 'advancing', target }, input.empresa_rut ?? null)
}

/** Waits for the move to end, as long as a caller may wait for an answer. */
export async function waitForClock(ctx: AccountContext, clock: TestClock): Promise<TestClock> {
  const owner = await ownerOf(ctx, clock.empresa ?? undefined)
  const until = performance.now() + WAIT_MS
  let row = await readClock(ctx.sql, owner)
  while (row.status === 'advancing' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    row = await readClock(ctx.sql, owner)
  }
  return clock.status === 'ready' ? clock : showClock(row, clock.empresa)
}

export async function getClock(ctx: AccountContext, input: ClockQuery): Promise<TestClock> {
  const owner = await ownerOf(ctx, input.empresa_rut)
  return showClock(await readClock(ctx.sql, owner), input.empresa_rut ?? null)
}
