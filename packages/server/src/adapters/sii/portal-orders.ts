import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { ownedBy } from '../../kernel/tenant.ts'

/** A document that is being issued on the free portal, as far as this service knows. */
export interface PortalOrderRow {
  /** How often the SII signed something for it. */
  readonly signatures: number
  /** What it signed last, and may have issued; null where it signed nothing yet. */
  readonly folio: number | null
  readonly xml: Buffer | null
  readonly signed_at: Date | null
  /** How often it did not sign for a reason that may be its own. */
  readonly doubts: number
}

/** The order of a document, which is opened where there is none. */
export async function openOrder(sql: Sql, empresa: EmpresaScope, document_id: string): Promise<PortalOrderRow> {
  const { account_id, empresa_id, mode } = empresa
  await sql`
    insert into sii_portal_order (account_id, empresa_id, mode, document_id)
    values (${account_id}, ${empresa_id}, ${mode}, ${document_id}) on conflict (document_id) do nothing`
  const [row] = await sql<PortalOrderRow>`
    select signatures, folio, xml, signed_at, doubts from sii_portal_order
    where ${ownedBy(empresa)} and document_id = ${document_id}`
  if (!row) throw new Error(`the order of ${document_id} belongs to another empresa`)
  return row
}

/** Keeps what the SII signed. False where another process had something signed since the order was read. */
export async function recordSigned(
  sql: Sql,
  empresa: EmpresaScope,
  document_id: string,
  { after, folio, xml }: { readonly after: number; readonly folio: number; readonly xml: Uint8Array },
): Promise<boolean> {
  const rows = await sql`
    update sii_portal_order
    set signatures = signatures + 1, folio = ${folio}, xml = ${Buffer.from(xml)}, signed_at = ${new Date(systemNow())}
    where ${ownedBy(empresa)} and document_id = ${document_id} and signatures = ${after} returning document_id`
  return rows.length > 0
}

export async function recordDoubt(sql: Sql, empresa: EmpresaScope, document_id: string): Promise<void> {
  await sql`
    update sii_portal_order set doubts = doubts + 1 where ${ownedBy(empresa)} and document_id = ${document_id}`
}

/** What has its verdict is kept no longer. */
export async function dropOrder(sql: Sql, empresa: EmpresaScope, document_id: string): Promise<void> {
  await sql`delete from sii_portal_order where ${ownedBy(empresa)} and document_id = ${document_id}`
}
