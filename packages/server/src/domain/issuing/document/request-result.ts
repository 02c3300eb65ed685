import { tipo } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import type { AdvanceContext } from './advance.ts'
import { requestResultMail } from './jobs.ts'
import type { DocumentRow } from './show.ts'

/** The mail of an envelope comes about when its verdict does: this long it is waited for before it is asked for again. */
const PATIENCE_SECONDS = 900

/** What the SII found fault with. One with a reparo is good, and the fault is of the next ones too until it is known. */
const FAULTED = ['rejected', 'reparo'] satisfies DocumentRow['status'][]

const isUnexplained = ({ status, sii_answer, tipo_dte, track_id }: DocumentRow) =>
  (FAULTED as readonly string[]).includes(status) &&
  sii_answer?.has_finding === false &&
  track_id !== null &&
  tipo(tipo_dte).envelope === 'EnvioDTE'

/** A track id where such a mail may come, for it is found by that. */
export const mailedOf = ({ mode }: Pick<EmpresaScope, 'mode'>, track_id: string | null): string | null =>
  MODES[mode].sii_mails_results ? track_id : null

/** Has the result e-mail asked for, once, where documents were refused or observed and nobody said why. */
export async function requestResult(
  tx: Pick<AdvanceContext, 'now' | 'enqueue'>,
  scope: EmpresaScope,
  settled: readonly DocumentRow[],
): Promise<void> {
  if (!MODES[scope.mode].sii_mails_results) return
  for (const track_id of new Set(settled.filter(isUnexplained).map((row) => row.track_id as string))) {
    const due_at = secondsFrom(tx.now(), PATIENCE_SECONDS)
    await tx.enqueue(requestResultMail, { payload: { track_id }, lane: scope.empresa_id, due_at })
  }
}

/** Asks for it, unless it came meanwhile. An SII that cannot be asked is asked a few times more. */
export async function askForResult(ctx: JobContext, { track_id }: { track_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const rows = await ctx.sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and mailed_track_id = ${track_id} and status = any(${FAULTED}::text[])`
  if (rows.some(isUnexplained)) await ctx.ports.sii[scope.mode].mailResult?.({ empresa: scope, track_id })
  return 'done'
}
