import type { ListPage } from '../../../../kernel/cursor.ts'
import type { InstallationContext } from '../../../context.ts'
import { stepOf } from '../../../platform/onboarding/lanes.ts'
import { listUnderWay, type UnderWay } from '../../../platform/onboarding/operator/under-way.ts'
import { rangesOf } from './ranges.ts'
import type { CertificationUnderWay, UnderWayQuery } from './schema.ts'
import { type FileFacts, listFileFacts, listSaid, type Said } from './store.ts'

function findingText({ case_id, line, message }: Said['findings'][number]): string {
  const place = [case_id && `caso ${case_id}`, line && `línea ${line}`].filter(Boolean).join(', ')
  return place === '' ? message : `${place}: ${message}`
}

function showFile(file: FileFacts): CertificationUnderWay['files'][number] {
  const { id, kind, attempt, file_name, bytes, status, track_id, sent_at, words, findings } = file
  return {
    ...{ id, kind, attempt, file_name, bytes, state: status, track_id, words },
    sent_at: sent_at?.toISOString() ?? null,
    findings: [...findings],
  }
}

/** What the SII said of the step itself, or else of the whole. */
function lastWords({ blocked_reason }: UnderWay, said: Said | undefined): { words: string | null; at: string | null } {
  const sentence = blocked_reason?.details.sentence
  if (typeof sentence === 'string' && sentence !== '') return { words: sentence, at: blocked_reason?.since ?? null }
  return { words: said?.words ?? null, at: said?.said_at?.toISOString() ?? null }
}

function show(row: UnderWay, said: Said | undefined, files: readonly FileFacts[]): CertificationUnderWay {
  const { key, status, approved_at, blocked_reason } = row
  const { approval } = stepOf(key)
  const { words, at } = lastWords(row, said)
  return {
    object: 'certification_under_way',
    account: { id: row.account_id, name: row.account_name },
    empresa: { id: row.empresa_id, rut: row.rut, legal_name: row.legal_name },
    doc_types: row.doc_types,
    step: key,
    status,
    since: row.since.toISOString(),
    waits_for: row.waits_for,
    role: (status === 'action_required' && approved_at === null && approval?.role) || null,
    execution: row.execution,
    taken_by: row.taken_by,
    taken_at: row.taken_at?.toISOString() ?? null,
    why: row.handed_over?.why ?? null,
    blocked_reason,
    words,
    said_at: at,
    next_look_at: row.next_poll_at?.toISOString() ?? null,
    attempt: Math.max(0, ...files.map((file) => file.attempt)),
    findings: [...(said?.findings.map(findingText) ?? []), ...files.flatMap((file) => file.findings)],
    folios: rangesOf(files.flatMap((file) => file.folios)),
    files: files.map(showFile),
    acts: [...row.acts],
    version: row.version,
  }
}

/** Every certification under way, whosever it is: what waits for people first. */
export function listCertifications(
  ctx: InstallationContext,
  query: UnderWayQuery,
): Promise<ListPage<CertificationUnderWay>> {
  return listUnderWay(ctx, query, async (rows) => {
    const files = await listFileFacts(ctx.sql, rows)
    const said = new Map((await listSaid(ctx.sql, rows)).map((one) => [one.empresa_id, one]))
    return rows.map((row) =>
      show(
        row,
        said.get(row.empresa_id),
        files.filter(({ empresa_id }) => empresa_id === row.empresa_id),
      ),
    )
  })
}
