import { TIPO } from '@timbre/dte/values'
import { part } from '../../../kernel/db.ts'
import { asRead, type RowCheck } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { SiiVerdict } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import type { ReactingToDocuments } from '../../reactions.ts'
import { gatherTransition, type ReadDocument, settledDocuments, unchangedDocuments } from './advance.ts'
import { settledFlights } from './in-flight.ts'
import { byVerdict, consequencesOf, settlementOf } from './settle.ts'
import type { DocumentRow } from './show.ts'
import { withTold } from './sii-findings.ts'

/** What is refused frees the guías that it invoiced, and a nota changes other documents: that takes a transaction. */
function isOrdinary(row: ReadDocument, verdict: SiiVerdict | undefined): boolean {
  return verdict?.outcome !== 'rejected' && row.annuls_id === null && row.tipo_dte !== TIPO.nota_de_credito
}

/** Whether no nota annuls any of some documents. */
const unnamedByNotas: RowCheck<Pick<ReadDocument, 'account_id' | 'id'>> = (documents) =>
  part`select not have_annulling_nota(${documents.map(({ account_id }) => account_id)}::text[],
    ${documents.map(({ id }) => id)}::text[])`

/**
 * Records the SII's verdicts on documents of an ordinary day in one statement, with their consequences and the end of the
 * jobs that asked. Null where somebody touched a document since it was read, where a nota annuls one of them, or where there
 * is more to it: then it takes a transaction.
 */
export async function landSettled(
  ctx: JobContext,
  scope: EmpresaScope,
  rows: readonly ReadDocument[],
  said: ReadonlyMap<string, SiiVerdict>,
  ends: readonly string[],
): Promise<DocumentRow[] | null> {
  const concerned = rows.filter(({ id }) => said.has(id))
  if (!concerned.every((row) => isOrdinary(row, said.get(row.id)))) return null
  const groups = byVerdict(withTold(said, concerned))
  const settlements = await Promise.all(groups.map(({ verdict }) => settlementOf(verdict, ctx.now())))
  const settled: DocumentRow[] = []
  const landed = await ctx.land(
    // Notas are looked for once the documents are locked.
    [asRead(unchangedDocuments, concerned), asRead(unnamedByNotas, concerned)],
    async (landing) => {
      for (const [i, { ids }] of groups.entries()) {
        const { trigger, changes, detail } = settlements[i] as (typeof settlements)[0]
        const of_group = concerned.filter(({ id }) => ids.includes(id))
        const transition = { trigger, rows: of_group, writer: settledDocuments, changes, detail }
        settled.push(...gatherTransition(landing, scope, transition))
      }
      landing.gather(settledFlights, concerned)
      // They only read and enqueue, so that they may do without a transaction around them.
      const { sql, cache } = ctx
      const tx: ReactingToDocuments = {
        ...landing,
        sql,
        cache,
        enqueue: async (job, order) => landing.enqueue(job, order),
      }
      await consequencesOf(tx, ctx.reactions, scope, settled)
    },
    ends,
  )
  return landed === null ? null : settled
}
