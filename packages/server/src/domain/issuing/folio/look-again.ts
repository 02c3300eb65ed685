import { DAY_MS, santiagoDate } from '@timbre/dte/values'
import { FOLIOS } from '../../../catalog/limits.ts'
import type { GiveUp } from '../../../kernel/job.ts'
import { hastenJobs } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAvailability } from './availability.ts'
import { afterRefusal } from './back-off.ts'
import { refillStock } from './jobs.ts'
import { deleteMendable, findRefusal, saveRefusal } from './refusal-store.ts'

type Transaction = Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>

/** What a later request may bring: the SII said no, or was away, or the empresa could not ask. A fault of ours is mended first. */
const PASSING = ['folios_refused', 'sii_unreachable', 'empresa_inactive']

async function lookAt(tx: Transaction, scope: EmpresaScope, tipo_dte: number, due_at: Date): Promise<void> {
  const { empresa_id } = scope
  await tx.enqueue(refillStock, { payload: { tipo_dte }, key: `${empresa_id}:${tipo_dte}`, empresa_id, due_at })
}

/** Remembers a refusal, and looks at the stock again when asking may help. */
export async function backOff(tx: Transaction, scope: EmpresaScope, tipo_dte: number, failure: GiveUp): Promise<void> {
  if (!PASSING.includes(failure.code)) return
  const reason = String(failure.details?.reason ?? failure.code)
  const refusal = afterRefusal(await findRefusal(tx.sql, scope, tipo_dte), reason, tx.now())
  await saveRefusal(tx.sql, scope, tipo_dte, refusal)
  if (refusal.retry_at) await lookAt(tx, scope, tipo_dte, refusal.retry_at)
}

/** A range that the SII cut short may still be too little for the pace: no fall would tell of that. */
export async function lookAgain(tx: Transaction, scope: EmpresaScope, tipo_dte: number): Promise<void> {
  const { status } = await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now()))
  const in_hours = FOLIOS.ask_again_hours[0]
  if (status === 'low') await lookAt(tx, scope, tipo_dte, new Date(tx.now().getTime() + (in_hours * DAY_MS) / 24))
}

/** Another certificate is another person who asks: what only somebody could mend may be mended, and is asked for at once. */
export async function forgetRefusals(tx: Transaction, scope: EmpresaScope): Promise<void> {
  for (const tipo_dte of await deleteMendable(tx.sql, scope)) await lookAt(tx, scope, tipo_dte, tx.now())
  await hastenJobs(tx.sql, scope, refillStock.name)
}
