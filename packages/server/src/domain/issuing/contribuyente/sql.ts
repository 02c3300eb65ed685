import { type Fragment, part } from '../../../kernel/db.ts'

/** What the cache knows the lists of the SII by: whatever was made of them is stale when one is loaded. */
export const NOMINA = 'nomina'

/** Whether the list of exchange mailboxes is loaded: without it nobody is known to have none. */
export function areMailboxesLoaded(): Fragment {
  return part`exists (select 1 from nomina_load where dataset = 'mailboxes')`
}
