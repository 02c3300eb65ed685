import type { BaseContext, PublicContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { type Standing, standingInDistrust } from '../lasting-change/lookup.ts'
import { purgeCertificate } from './purge.ts'

export type EndCustodyContext = Pick<
  BaseContext,
  'sql' | 'now' | 'addresses' | 'invalidate' | 'reactions' | 'audit' | 'ports'
> &
  Pick<PublicContext, 'actFor'>

/**
 * Takes out of custody the certificates that were put there in distrust: their holder would go on signing in the name of
 * the empresa. What was there before is gone already; the owner uploads it again.
 */
export async function endDistrustedCertificates(
  ctx: EndCustodyContext,
  account_id: string,
  distrust: Distrust,
): Promise<Standing[]> {
  const ended: Standing[] = []
  for (const one of await standingInDistrust(ctx.sql, account_id, 'certificate', distrust)) {
    const about = { id: one.empresa_id, rut: one.rut }
    const acting = ctx.actFor(one)
    const emit: typeof acting.emit = (event) => acting.emit({ ...event, empresa: about })
    const custody = { ...ctx, emit, enqueue: acting.enqueue, empresa: one }
    const empresa = await lockForCustody(custody)
    if (!(await purgeCertificate(custody))) continue
    await changeCustody(custody, empresa, { certificate_until: null, certificate_refused: {} })
    ctx.audit({ action: 'certificate.delete', subject: one.id }, one)
    ended.push(one)
  }
  return ended
}
