import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { SiiVerdict } from '../../../ports/sii.ts'
import type { ReactingToDocuments, Reactions } from '../../reactions.ts'
import { annulOriginals } from '../credit-note/annul.ts'
import { exchangeAccepted } from '../exchange/request.ts'
import { sendAccepted } from '../send/request.ts'
import { type AdvanceContext, advanceDocuments, settingOf } from './advance.ts'
import { type LockedForSettling, lockForSettling } from './emission-store.ts'
import { explainVerdict } from './explain-verdict.ts'
import { requestResult } from './request-result.ts'
import type { DocumentRow, SiiAnswerRow } from './show.ts'
import { withTold } from './sii-findings.ts'
import { requestWatch } from './watch-receptors.ts'

const TRIGGERS = { accepted: 'sii_accepted', reparo: 'sii_observed', rejected: 'sii_rejected' } as const

/** Groups documents by their answer: those with the same one share a statement. */
export function byVerdict(verdicts: ReadonlyMap<string, SiiVerdict>): { verdict: SiiVerdict; ids: string[] }[] {
  const groups = new Map<string, { verdict: SiiVerdict; ids: string[] }>()
  for (const [id, verdict] of verdicts) {
    const name = JSON.stringify(verdict)
    const group = groups.get(name)
    if (group) group.ids.push(id)
    else groups.set(name, { verdict, ids: [id] })
  }
  return [...groups.values()]
}

/** What a verdict makes of the documents that it is about. */
export async function settlementOf(verdict: SiiVerdict, at: Date) {
  const { outcome, estado } = verdict
  // The SII has no words for a boleta that it takes.
  const glosa = verdict.glosa || null
  const explanation = await explainVerdict(verdict)
  const answer: SiiAnswerRow = { glosa, explanation, has_finding: verdict.finding !== null }
  return {
    trigger: TRIGGERS[outcome],
    changes: { estado, sii_answer: answer, failure: null, settled_at: at },
    detail: { estado, glosa, ...(explanation && { code: explanation.code }) },
  }
}

async function settleGroup(
  tx: AdvanceContext,
  scope: EmpresaScope,
  { verdict, ids }: { readonly verdict: SiiVerdict; readonly ids: string[] },
  locked: readonly LockedForSettling[],
) {
  const { trigger, changes, detail } = await settlementOf(verdict, tx.now())
  return advanceDocuments(tx, scope, {
    trigger,
    ids,
    set: settingOf(changes),
    was({ id }) {
      const before = locked.find((row) => row.id === id)
      const { estado = null, sii_answer = null, failure = null } = before ?? {}
      return { estado, sii_answer, failure, settled_at: null }
    },
    detail: () => detail,
  })
}

/** What follows from documents that were settled, beside what notas do to others. */
export async function consequencesOf(
  tx: ReactingToDocuments,
  reactions: Pick<Reactions, 'documentsArrived'>,
  scope: EmpresaScope,
  settled: readonly DocumentRow[],
): Promise<void> {
  const valid = settled.filter(({ status }) => status !== 'rejected')
  await sendAccepted(tx, scope, valid)
  await exchangeAccepted(tx, scope, valid)
  await requestWatch(tx, scope, valid)
  await requestResult(tx, scope, settled)
  await reactions.documentsArrived(tx, scope, valid)
}

/** Records the SII's verdicts on sent documents and their consequences. Returns the documents whose status changed. */
export async function settleDocuments(
  tx: AdvanceContext,
  scope: EmpresaScope,
  verdicts: ReadonlyMap<string, SiiVerdict>,
): Promise<DocumentRow[]> {
  const locked = await lockForSettling(tx.sql, scope, [...verdicts.keys()])
  const settled: DocumentRow[] = []
  for (const group of byVerdict(withTold(verdicts, locked)))
    settled.push(...(await settleGroup(tx, scope, group, locked)))
  await annulOriginals(tx, scope, locked, settled)
  await consequencesOf(tx, tx.reactions, scope, settled)
  return settled
}
