import type { EvidenceAct, EvidenceVia } from '../../../catalog/evidence.ts'
import type { PersonRole } from '../../../catalog/roles.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

export interface EvidenceRow {
  readonly id: string
  readonly step: string | null
  readonly act: EvidenceAct
  readonly actor_rut: string | null
  readonly actor_name: string | null
  readonly actor_role: PersonRole | null
  readonly at: Date
  readonly ip: string | null
  readonly user_agent: string | null
  readonly document_version: string | null
  readonly document_sha256: string | null
  readonly via: EvidenceVia
}

export async function insertEvidence(sql: Sql, scope: EmpresaScope, row: EvidenceRow): Promise<void> {
  await sql`
    insert into evidence (account_id, empresa_id, mode, id, step, act, actor_rut, actor_name, actor_role, at, ip, user_agent,
      document_version, document_sha256, via)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${row.id}, ${row.step}, ${row.act}, ${row.actor_rut},
      ${row.actor_name}, ${row.actor_role}, ${row.at}, ${row.ip}, ${row.user_agent}, ${row.document_version},
      ${row.document_sha256}, ${row.via})`
}

export interface EvidenceFilter {
  readonly step?: string
  readonly act?: EvidenceAct
}

export async function listRows(
  sql: Sql,
  scope: EmpresaScope,
  { step, act }: EvidenceFilter,
  { before, take }: { readonly before: string | null; readonly take: number },
): Promise<EvidenceRow[]> {
  return sql<EvidenceRow>`
    select id, step, act, actor_rut, actor_name, actor_role, at, ip, user_agent, document_version, document_sha256, via
    from evidence where ${ownedBy(scope)}
      ${step === undefined ? nothing : part`and step = ${step}`}
      ${act === undefined ? nothing : part`and act = ${act}`}
      ${before === null ? nothing : part`and id < ${before}`}
    order by id desc limit ${take}`
}
