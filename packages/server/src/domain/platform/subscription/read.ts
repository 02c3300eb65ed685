import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { Subscription } from './schema.ts'
import { showSubscription } from './show.ts'
import { readStanding } from './store.ts'

/** What an empresa has paid for, whether or not anything was ever recorded. */
export async function readSubscription(
  ctx: Pick<BaseContext, 'sql' | 'now'> & { readonly empresa: EmpresaScope },
): Promise<Subscription> {
  const standing = await readStanding(ctx.sql, ctx.empresa)
  if (!standing) throw new Problem('empresa_not_found')
  return showSubscription(ctx.empresa, standing, ctx.now())
}
