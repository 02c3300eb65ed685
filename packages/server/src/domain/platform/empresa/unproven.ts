import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { askForProof } from '../certificate/ask-proof.ts'
import { composeLetter, type Draft } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { archiveEmpresa } from './archive.ts'
import { rutNotProvenLetter, unprovenWarningLetter } from './copy.ts'
import { jobEmpresa } from './job-empresa.ts'
import { isUnprovenRow } from './proof.ts'
import { lockEmpresa, saveWarning } from './store.ts'
import { archivedAt, warningAt } from './warning.ts'

async function write(
  tx: JobTransaction,
  { account_id }: EmpresaScope,
  letter: (email: string) => Draft,
): Promise<void> {
  const account = await findAccountEmail(tx.sql, account_id)
  if (account) await enqueueLetter(tx, composeLetter(letter(account.email)))
}

/** Takes one more step with an empresa that nothing proves, as it is now; gives when to look again, or null. */
async function step(tx: JobTransaction, scope: EmpresaScope): Promise<Date | null> {
  const row = await lockEmpresa(tx.sql, scope)
  if (!row || row.status === 'archived' || !isUnprovenRow(row)) return null
  const now = tx.now()
  if (now < warningAt(row)) return warningAt(row)
  const end = archivedAt(row, row.rut_warned_at ?? now)
  if (row.rut_warned_at === null) {
    await saveWarning(tx.sql, scope, now)
    await write(tx, scope, (email) => unprovenWarningLetter(email, row, end))
    return end
  }
  if (now < end) return end
  const about = { id: scope.empresa_id, rut: scope.rut }
  const emit: JobTransaction['emit'] = (event) => tx.emit({ ...event, empresa: about })
  const { sql, addresses, ports, enqueue, invalidate } = tx
  await archiveEmpresa(
    { sql, addresses, ports, enqueue, invalidate, now: tx.now, emit, empresa: scope },
    row,
    'rut_not_proven',
  )
  await write(tx, scope, (email) => rutNotProvenLetter(email, row))
  return null
}

/** The holder may have become a user of the company since the certificate came. An SII that is away keeps no RUT held. */
async function askOnceMore(ctx: JobContext, scope: EmpresaScope): Promise<void> {
  await askForProof(ctx, scope).catch((error: unknown) => {
    if (!(error instanceof SiiUnreachable)) throw error
  })
}

/** Warns the account of an empresa whose RUT nothing proves, and then archives it: the RUT is free for its owner. */
export async function watchProof(ctx: JobContext): Promise<JobOutcome> {
  const found = await jobEmpresa(ctx)
  if (!found) return 'done'
  if (isUnprovenRow(found.row)) await askOnceMore(ctx, found.scope)
  const again_at = await ctx.transact((tx) => step(tx, found.scope))
  return again_at ? { again_at } : 'done'
}
