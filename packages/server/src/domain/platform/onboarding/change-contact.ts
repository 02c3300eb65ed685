import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { endMailedPages } from '../onboarding-link/revoke.ts'
import { STEP_KEYS, stepOf } from './lanes.ts'
import { forgetNews } from './letters.ts'

/** Steps whose letters go to the contact of the empresa: those of the titular go to the account. */
const OF_CONTACT = STEP_KEYS.filter((key) => stepOf(key).performed_by !== 'titular_cuenta')

/** The pages that we mailed to the former contact end, and what they were told is news to the next one. */
export async function changeContact(tx: Pick<Settling, 'sql' | 'now'>, scope: EmpresaScope): Promise<void> {
  await endMailedPages(tx.sql, scope, OF_CONTACT, tx.now())
  await forgetNews(tx.sql, scope, OF_CONTACT)
}
