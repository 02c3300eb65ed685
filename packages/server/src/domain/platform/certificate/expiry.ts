import { DAY_MS } from '@timbre/dte/values'
import { CERTIFICATES } from '../../../catalog/limits.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../empresa/job-empresa.ts'
import { type CertificateRow, showInEvent } from './show.ts'
import { findCertificate, recordExpiryAlert } from './store.ts'

type Ending = Pick<CertificateRow, 'not_after'>

/** Days before its end, and the first instant after it as none. */
const ALERTS = [...CERTIFICATES.expiring_days, 0]

const alertAt = ({ not_after }: Ending, days: number) =>
  new Date(not_after.getTime() + (days === 0 ? 1 : -days * DAY_MS))

/** When a certificate is told of next; null when its end was. */
export function nextAlert(row: Ending, now: Date): Date | null {
  return ALERTS.map((days) => alertAt(row, days)).find((at) => at > now) ?? null
}

/** Tells that the certificate of an empresa ends 30, 7 and 1 days before, and once it has. */
export async function checkCertificate(
  ctx: JobContext,
  { certificate_id }: { certificate_id: string },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const row = empresa && (await findCertificate(ctx.sql, empresa.scope))
  if (!empresa || row?.id !== certificate_id) return 'done'
  const { scope } = empresa
  // After an outage the last one that is due tells for those before it.
  const days = ALERTS.findLast((alert) => alertAt(row, alert) <= ctx.now())
  if (days !== undefined) {
    await ctx.transact(async (tx) => {
      if (!(await recordExpiryAlert(tx.sql, scope, row.id, days))) return
      const object = showInEvent(row, scope, tx.now())
      const about = { object, empresa: { id: scope.empresa_id, rut: scope.rut } }
      if (days === 0) {
        tx.emit({ type: 'certificate.expired', ...about })
        await tx.reactions.onboardingFactsChanged(tx, scope)
      } else tx.emit({ type: 'certificate.expiring', ...about, detail: { days_left: days } })
    })
  }
  const again_at = nextAlert(row, ctx.now())
  return again_at ? { again_at } : 'done'
}
