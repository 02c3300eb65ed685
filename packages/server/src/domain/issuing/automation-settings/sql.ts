import { type Fragment, part } from '../../../kernel/db.ts'
import type { EACH, Tenant } from '../../../kernel/tenant.ts'

/** Whether an empresa has its movements matched automatically; one that never chose has not. */
export function appliesMatches({ account_id, empresa_id }: Tenant | typeof EACH): Fragment {
  return part`exists (
    select 1 from automation_settings s
    where s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.apply_movement_matches)`
}
