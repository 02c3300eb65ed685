import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { BaseContext, EmpresaContext } from '../../context.ts'
import { findEmisor } from '../empresa/emisor.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { listSwitches } from './execution.ts'
import type { Onboarding } from './schema.ts'
import { showOnboarding } from './show.ts'
import { statusWithoutSteps } from './status.ts'
import { listSteps } from './store.ts'
import { laneOf, walkOf } from './walk.ts'

type Reading = Pick<BaseContext, 'sql' | 'now' | 'addresses'> & { readonly ports: Pick<Ports, 'sii'> }

/** The body of an empresa whose row is at hand. One of the sandbox that rehearses nothing emits, and has no steps to show. */
export async function readBody(ctx: Reading, scope: EmpresaScope, row: EmpresaRow): Promise<Onboarding> {
  const { addresses, sql } = ctx
  const now = ctx.now()
  const walk = walkOf(row)
  if (walk)
    return showOnboarding({
      row,
      walk,
      steps: await listSteps(sql, scope),
      switches: await listSwitches(ctx),
      addresses,
      now,
    })
  return {
    object: 'onboarding',
    mode: row.mode,
    empresa: { id: row.id, rut: row.rut },
    lane: laneOf(row),
    status: statusWithoutSteps(row),
    progress: 1,
    blocked_on: null,
    steps: [],
    estimated_ready_at: null,
  }
}

export async function readOnboarding(ctx: Reading & Pick<EmpresaContext, 'empresa'>): Promise<Onboarding> {
  const row = await findEmisor(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  return readBody(ctx, ctx.empresa, row)
}
