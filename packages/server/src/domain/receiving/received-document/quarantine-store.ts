import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Fault } from '../../../ports/inspection.ts'
import type { QuarantineStatus } from './quarantine-schema.ts'
import type { ReceptionRow } from './show.ts'

export interface QuarantineRow extends Omit<ReceptionRow, 'number'> {
  readonly reason: Fault['reason']
  readonly message: string
  readonly status: QuarantineStatus
  readonly settled_at: Date | null
  readonly document_ids: readonly string[]
  readonly bytes: number | null
}

// Without the bytes, which may be ten million.
const SHOWN = part`account_id, empresa_id, mode, id, source, sender, file_name, emisor_rut, reason, message, received_at,
  status, settled_at, document_ids, octet_length(raw) as bytes`

export interface QuarantineFilter {
  readonly status?: string
  readonly reason?: string
}

function matching({ status, reason }: QuarantineFilter): Fragment {
  return part`${status === undefined ? nothing : part`and status = ${status}`}
    ${reason === undefined ? nothing : part`and reason = ${reason}`}`
}

/** Newest first. */
export function listQuarantine(
  sql: Sql,
  scope: EmpresaScope,
  filter: QuarantineFilter,
  { before, take }: { before: string | null; take: number },
): Promise<QuarantineRow[]> {
  return sql<QuarantineRow>`
    select ${SHOWN} from reception_quarantine where ${ownedBy(scope)} ${matching(filter)}
      ${before === null ? nothing : part`and id < ${before}`} order by id desc limit ${take}`
}

export async function findQuarantined(sql: Sql, scope: EmpresaScope, id: string): Promise<QuarantineRow | null> {
  const [row] = await sql<QuarantineRow>`
    select ${SHOWN} from reception_quarantine where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

/** Null where there is no such file; one whose bytes are no longer kept has none. */
export async function findQuarantinedBytes(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
): Promise<{ readonly raw: Buffer | null } | null> {
  const [row] = await sql<{ raw: Buffer | null }>`
    select raw from reception_quarantine where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}
