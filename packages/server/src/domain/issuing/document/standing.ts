import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { SiiStatus } from '../../../ports/sii.ts'
import type { AdvanceContext } from './advance.ts'
import { IS_SENT } from './emission-store.ts'
import { explainStanding } from './explain-verdict.ts'
import { failureOf } from './fail.ts'
import { mailedOf } from './request-result.ts'
import type { Explanation } from './schema.ts'
import type { DocumentRow } from './show.ts'
import { insertJournal, type NewJournalEntry } from './store.ts'
import { documentsOf } from './year.ts'

type Standing = Pick<SiiStatus, 'track_id' | 'told' | 'given_up' | 'doubted'>

interface Change {
  readonly concerns: (row: DocumentRow) => boolean
  readonly set: Fragment
  readonly type: string
  readonly detail: (row: DocumentRow) => object
}

/** What a standing changes of sent documents, with the entry of their journal. */
function changesOf(
  scope: EmpresaScope,
  { track_id, told, given_up, doubted }: Standing,
  explanation: Explanation | null = null,
): Change[] {
  const changes: Change[] = []
  if (told) {
    const { estado, glosa } = told
    const words = JSON.stringify({ glosa, explanation })
    changes.push({
      concerns: (row) => row.estado !== estado,
      set: part`estado = ${estado}, sii_answer = (coalesce(sii_answer::jsonb, '{}') || ${words}::jsonb)::json`,
      type: 'document.sii_estado',
      detail: (row) => ({ estado, glosa, track_id: row.track_id, ...(explanation && { code: explanation.code }) }),
    })
  }
  // An SII that never told a track id goes on not telling it.
  if (typeof track_id === 'string') {
    changes.push({
      concerns: (row) => row.track_id !== track_id,
      set: part`track_id = ${track_id}, mailed_track_id = ${mailedOf(scope, track_id)}, former_track_ids = case
        when track_id is null then former_track_ids else array_append(former_track_ids, track_id) end`,
      type: 'document.resubmitted',
      detail: (row) => ({ track_id, former_track_id: row.track_id }),
    })
  }
  if (given_up) {
    const failure = failureOf('sii_lost_envelope')
    changes.push({
      concerns: (row) => row.failure === null,
      set: part`failure = ${JSON.stringify(failure)}::json`,
      type: 'document.lost_by_sii',
      detail: () => failure,
    })
  }
  for (const [id, { estado, glosa }] of doubted ?? []) {
    const failure = failureOf('sii_data_differ')
    changes.push({
      concerns: (row) => row.id === id && row.failure === null,
      set: part`failure = ${JSON.stringify(failure)}::json`,
      type: 'document.differs_at_sii',
      detail: () => ({ ...failure, estado, glosa }),
    })
  }
  return changes
}

export const hasMoved = (scope: EmpresaScope, rows: readonly DocumentRow[], standing: Standing): boolean =>
  changesOf(scope, standing).some(({ concerns }) => rows.some(concerns))

/**
 * Records where the envelope of sent documents stands at the SII while it has no verdict: under which track id, the
 * state it told last, and that somebody has to look. No status moves; the journal says since when.
 */
export async function recordStanding(
  { sql, now }: Pick<AdvanceContext, 'sql' | 'now'>,
  scope: EmpresaScope,
  ids: readonly string[],
  standing: Standing,
): Promise<void> {
  const rows = await sql<DocumentRow>`
    select * from ${documentsOf(ids)} where ${ownedBy(scope)} and id = any(${ids}::text[]) and ${IS_SENT} order by id for update`
  const entries: NewJournalEntry[] = []
  const explanation = standing.told ? await explainStanding(standing.told) : null
  for (const { concerns, set, type, detail } of changesOf(scope, standing, explanation)) {
    const changed = rows.filter(concerns)
    if (changed.length === 0) continue
    const changed_ids = changed.map(({ id }) => id)
    await sql`update ${documentsOf(changed_ids)} set ${set} where ${ownedBy(scope)} and id = any(${changed_ids}::text[])`
    entries.push(...changed.map((row) => ({ document_id: row.id, type, detail: detail(row) })))
  }
  if (entries.length > 0) await sql`${insertJournal(scope, entries, now())}`
}
