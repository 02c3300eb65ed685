import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, nothing, part } from '../../../kernel/db.ts'
import { joinAccount } from '../account/lookup.ts'
import type { MakingAspect } from './store.ts'

/**
 * True unless the thing of this id was made by an agent whose grant has ended: revoked, expired, or of a closed account.
 * With an aspect, unless that one was. It follows from the grant itself, so that nothing has to be cleaned up for it to be so. Real time, as the grant's own.
 */
export function grantStands(subject_id: Fragment, aspect?: MakingAspect): Fragment {
  return part`not exists (
    select 1 from agent_making making join agent_grant g on g.id = making.grant_id ${joinAccount('g')}
    where making.subject_id = ${subject_id} ${aspect ? part`and making.aspect = ${aspect}` : nothing}
      and (g.revoked_at is not null or g.expires_at <= ${new Date(systemNow())} or a.closed_at is not null))`
}

/** True unless this is the id of a grant that has ended. */
export function grantOfIdStands(grant_id: Fragment): Fragment {
  return part`not exists (
    select 1 from agent_grant g
    where g.id = ${grant_id} and (g.revoked_at is not null or g.expires_at <= ${new Date(systemNow())}))`
}
