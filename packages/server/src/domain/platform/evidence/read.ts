import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Evidence, EvidenceQuery } from './schema.ts'
import { type EvidenceRow, listRows } from './store.ts'

function showEvidence(row: EvidenceRow): Evidence {
  const { actor_rut: rut, actor_name: name, actor_role: role, document_version: version, document_sha256: sha256 } = row
  return {
    object: 'evidence',
    id: row.id,
    step: row.step,
    act: row.act,
    actor: name === null ? null : { rut, name, role },
    at: row.at.toISOString(),
    ip: row.ip,
    user_agent: row.user_agent,
    document: version === null || sha256 === null ? null : { version, sha256 },
    via: row.via,
  }
}

/** Newest first, as they were recorded. */
export async function listEvidence(
  ctx: EmpresaContext,
  { limit, cursor, step, act }: EvidenceQuery,
): Promise<ListPage<Evidence>> {
  const filter = { ...(step !== undefined && { step }), ...(act !== undefined && { act }) }
  const fetch = (page: { before: string | null; take: number }) => listRows(ctx.sql, ctx.empresa, filter, page)
  return pageById(ctx, 'evidence', filter, { limit, cursor }, fetch, showEvidence)
}
