import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { FIRST_PERIOD, periodAt } from '../rcv/period.ts'
import { refuseLocked } from '../rcv/period-lock.ts'
import { codeEntry, isComputed } from './codes.ts'
import { propose } from './propose.ts'
import { hasPlaces } from './ratio.ts'
import type { F29Proposal, PeriodPath, Recompute } from './schema.ts'
import { showProposal } from './show.ts'
import { holdEmpresa } from './store.ts'

export function refusePeriod(period: string, now: Date): void {
  if (period > periodAt(now)) throw invalidField('period', 'it has not begun.')
  if (period < FIRST_PERIOD) throw invalidField('period', `the registers begin with ${FIRST_PERIOD}.`)
}

function refuseOverrides(overrides: NonNullable<Recompute['overrides']>): void {
  overrides.forEach(({ code }, i) => {
    const param = `overrides[${i}].code`
    const entry = codeEntry(code)
    if (!entry) throw invalidField(param, `the form has no code ${code} that can be filled here.`)
    if (code === 115) throw invalidField(param, 'send the rate of the PPM as ppm_rate.')
    if (isComputed(entry)) throw invalidField(param, `code ${code} follows from others: ${entry.formula}.`)
    if (overrides.findIndex((one) => one.code === code) !== i) throw invalidField(param, `code ${code} is there twice.`)
  })
}

function refuseDecimals({ ppm_rate, common_use_factor }: Recompute): void {
  if (!hasPlaces(ppm_rate ?? 0, 3)) throw invalidField('ppm_rate', 'it has at most three decimals.')
  if (!hasPlaces(common_use_factor ?? 0, 4)) throw invalidField('common_use_factor', 'it has at most four decimals.')
}

/** Computes the proposal of a period now, with what the caller knows better. */
export async function recomputeProposal(ctx: EmpresaContext, input: PeriodPath & Recompute): Promise<F29Proposal> {
  const { period, overrides, ...inputs } = input
  refusePeriod(period, ctx.now())
  refuseDecimals(input)
  if (overrides) refuseOverrides(overrides)
  await holdEmpresa(ctx.sql, ctx.empresa)
  await refuseLocked(ctx.sql, ctx.empresa, period)
  return showProposal(await propose(ctx, ctx.empresa, period, { inputs, ...(overrides && { overrides }) }))
}
