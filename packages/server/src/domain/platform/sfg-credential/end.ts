import type { Distrust } from '../../distrust.ts'
import type { EndCustodyContext } from '../certificate/end.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { type Standing, standingInDistrust } from '../lasting-change/lookup.ts'
import { purgeSfgCredential } from './sfg-credential.ts'

/** Takes out of custody the passwords that were stored in distrust, as certificates are. */
export async function endDistrustedCredentials(
  ctx: EndCustodyContext,
  account_id: string,
  distrust: Distrust,
): Promise<Standing[]> {
  const ended: Standing[] = []
  for (const one of await standingInDistrust(ctx.sql, account_id, 'sfg_credential', distrust)) {
    const about = { id: one.empresa_id, rut: one.rut }
    const acting = ctx.actFor(one)
    const emit: typeof acting.emit = (event) => acting.emit({ ...event, empresa: about })
    const custody = { ...ctx, emit, enqueue: acting.enqueue, empresa: one }
    const empresa = await lockForCustody(custody)
    if (!(await purgeSfgCredential(custody))) continue
    await changeCustody(custody, empresa, { has_sfg_credential: false, sfg_refused_at: null })
    ctx.audit({ action: 'sfg_credential.delete', subject: one.id }, one)
    ended.push(one)
  }
  return ended
}
