import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { requireScope } from '../../../kernel/require-scope.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import { recordEvidence } from '../evidence/record.ts'
import { STEP_KEYS, type StepKey } from '../onboarding/lanes.ts'
import { isPageKey, REVOCATION } from './schema.ts'
import { revokeDistrusted, revokeLinks, revokeMailed, revokeOfSessions } from './store.ts'

/** Closes the pages of a step, mailed ones too. Where there are none it changes nothing. */
export async function revokeStepLinks(ctx: EmpresaContext, { step: page }: { step: string }): Promise<null> {
  if (!isPageKey(page)) throw new Problem('onboarding_step_not_found', { details: { step: page, steps: STEP_KEYS } })
  const of_mandato = page === 'mandato' || page === REVOCATION
  if (of_mandato) requireScope(ctx.caller, 'mandato:write')
  if ((await revokeLinks(ctx.sql, ctx.empresa, page, ctx.now())) === 0) return null
  const step = of_mandato ? 'mandato' : page
  await recordEvidence(ctx, ctx.empresa, { step, act: 'link_revoked', actor: null, document: null, ...ctx.origin })
  return null
}

/** Ends the pages of some steps that we mailed, and leaves those that a credential handed out. */
export function endMailedPages(sql: Sql, scope: EmpresaScope, steps: readonly StepKey[], at: Date): Promise<void> {
  return revokeMailed(sql, scope, steps, at)
}

/** When the sessions of an account end because somebody may have known its password: the pages that they handed out end too. Returns how many. */
export function endPagesOfSessions(sql: Sql, account_id: string, but_session: string | undefined): Promise<number> {
  return revokeOfSessions(sql, account_id, but_session ?? '', new Date(systemNow()))
}

/** When an account is taken back: pages that somebody opened who is not trusted. Returns how many. */
export function endDistrustedOnboardingPages(sql: Sql, account_id: string, distrust: Distrust): Promise<number> {
  return revokeDistrusted(sql, account_id, distrust, new Date(systemNow()))
}
