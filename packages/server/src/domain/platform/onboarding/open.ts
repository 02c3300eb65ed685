import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { openSteps } from './store.ts'
import { stepsOfRow } from './walk.ts'

/** The steps that an empresa is born with; the event of its creation shows them. */
export function openOnboarding(
  { sql, now }: Pick<BaseContext, 'sql' | 'now'>,
  scope: EmpresaScope,
  row: EmpresaRow,
): Promise<void> {
  return openSteps(sql, scope, stepsOfRow(row), now())
}
