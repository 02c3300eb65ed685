import type { ExplanationCode } from '@timbre/dte'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { SiiVerdict } from '../../../ports/sii.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { changeCustody, lockForCustody } from '../../platform/empresa/change-custody.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import {
  beingTriedAgain,
  type DocumentRefusals,
  dataOf,
  holdOf,
  isOfEmpresa,
  isWorthATry,
  refusedOnceMore,
} from '../../platform/empresa/refused-documents.ts'
import { explainVerdict } from './explain-verdict.ts'
import { resumeEmission } from './resume.ts'
import type { DocumentRow } from './show.ts'

type Context = Pick<
  JobTransaction,
  'sql' | 'now' | 'ports' | 'addresses' | 'emit' | 'enqueue' | 'invalidate' | 'reactions'
>

/** What the verdicts of an envelope say of the data of the empresa, by tipo. */
export interface DataVerdict {
  readonly tipo_dte: number
  /** Null where one was taken: nothing is wrong with the data. */
  readonly refused: { readonly code: ExplanationCode; readonly sentence: string; readonly count: number } | null
}

/**
 * Reads verdicts before they are recorded. Where several reasons lie in the data of the empresa, the first is told.
 * Refusals of data that were corrected since say nothing of those of today. One that was let through to try went in vain
 * also where it was refused for something else, or without a word why: the next costs a folio too.
 */
export async function dataVerdicts(
  ctx: Pick<JobContext, 'sql' | 'account_id' | 'mode' | 'empresa_id'>,
  scope: EmpresaScope,
  documents: readonly DocumentRow[],
  verdicts: ReadonlyMap<string, SiiVerdict>,
  sent_with: string | undefined,
): Promise<readonly DataVerdict[]> {
  if (!MODES[scope.mode].needs_custody) return []
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return []
  const { row } = empresa
  const is_past = sent_with !== undefined && sent_with !== dataOf(row)
  const found: DataVerdict[] = []
  for (const tipo_dte of new Set(documents.map((one) => one.tipo_dte))) {
    const said = documents.filter((one) => one.tipo_dte === tipo_dte).flatMap(({ id }) => verdicts.get(id) ?? [])
    if (said.some(({ outcome }) => outcome !== 'rejected')) {
      if (row.documents_refused[tipo_dte]) found.push({ tipo_dte, refused: null })
      continue
    }
    if (is_past) continue
    const explained = await Promise.all(said.map(explainVerdict))
    const codes = explained.flatMap((one) => (one && isOfEmpresa(one.code) ? [one.code as ExplanationCode] : []))
    const [code] = codes
    if (code === undefined) {
      const hold = holdOf(row, tipo_dte)
      if (hold?.trying && said.length > 0) found.push({ tipo_dte, refused: { ...hold, count: said.length } })
      continue
    }
    const sentence = said[explained.findIndex((one) => one?.code === code)]?.glosa ?? ''
    found.push({ tipo_dte, refused: { code, sentence, count: codes.filter((one) => one === code).length } })
  }
  return found
}

/** Counts refusals, and holds the documents of a tipo after some of them. One that the SII takes lets the others go. */
export async function recordDataVerdicts(tx: Context, scope: EmpresaScope, found: readonly DataVerdict[]) {
  if (found.length === 0) return
  const ctx = contextOf(tx, scope)
  const row = await lockForCustody(ctx)
  const refusals: Record<string, DocumentRefusals[string]> = { ...row.documents_refused }
  for (const { tipo_dte, refused } of found) {
    if (refused) refusals[tipo_dte] = refusedOnceMore(row, tipo_dte, refused, tx.now())
    else delete refusals[tipo_dte]
  }
  await changeCustody(ctx, row, { documents_refused: refusals })
  if (found.some(({ tipo_dte, refused }) => !refused && holdOf(row, tipo_dte))) await resumeEmission(tx, scope)
}

/** Claims the right to let one document of a tipo through. */
export async function claimDataTrial(tx: Context, scope: EmpresaScope, tipo_dte: number): Promise<boolean> {
  const ctx = contextOf(tx, scope)
  const row = await lockForCustody(ctx)
  const hold = holdOf(row, tipo_dte)
  if (!hold || !isWorthATry(row, hold, tx.now())) return false
  const tried = { ...row.documents_refused, [tipo_dte]: beingTriedAgain(row, hold, tx.now()) }
  await changeCustody(ctx, row, { documents_refused: tried })
  return true
}

/** Somebody says that it is worth a try: one of the documents that are held goes now. False where none is held. */
export async function tryHeld(tx: Context, scope: EmpresaScope, tipo_dte: number): Promise<boolean> {
  const ctx = contextOf(tx, scope)
  const row = await lockForCustody(ctx)
  const hold = holdOf(row, tipo_dte)
  if (!hold) return false
  const due = { ...hold, retry_at: tx.now().toISOString() }
  await changeCustody(ctx, row, { documents_refused: { ...row.documents_refused, [tipo_dte]: due } })
  await resumeEmission(tx, scope)
  return true
}

function contextOf(tx: Context, empresa: EmpresaScope) {
  const about = { id: empresa.empresa_id, rut: empresa.rut }
  const emit: Context['emit'] = (event) => tx.emit({ ...event, empresa: about })
  return { ...tx, emit, empresa }
}
