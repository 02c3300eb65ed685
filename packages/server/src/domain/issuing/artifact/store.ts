import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { PrintFormat } from '../branding/schema.ts'
import type { DocumentRow } from '../document/show.ts'

function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`d.account_id = ${account_id} and d.empresa_id = ${empresa_id} and d.mode = ${mode}`
}

/** A document and what decides how it is printed. */
export interface Issued extends DocumentRow {
  /** SHA-256 of the signed XML, in hex; null until it is signed. */
  readonly xml_digest: string | null
  readonly print_format: PrintFormat | null
}

export async function findIssued(sql: Sql, scope: EmpresaScope, id: string): Promise<Issued | null> {
  const [row] = await sql<Issued>`
    select d.*, encode(sha256(x.xml), 'hex') as xml_digest, b.print_format
    from document d
    left join document_xml x on x.document_id = ${id} and x.account_id = d.account_id
    left join branding b on b.account_id = d.account_id and b.empresa_id = d.empresa_id
    where ${of(scope)} and d.id = ${id}`
  return row ?? null
}

export interface SignedDocument {
  readonly status: DocumentRow['status']
  readonly tipo_dte: number
  readonly folio: number | null
  readonly xml: Buffer | null
}

export async function findSigned(sql: Sql, scope: EmpresaScope, id: string): Promise<SignedDocument | null> {
  const [row] = await sql<SignedDocument>`
    select d.status, d.tipo_dte, d.folio, x.xml
    from document d left join document_xml x on x.document_id = ${id} and x.account_id = d.account_id
    where ${of(scope)} and d.id = ${id}`
  return row ?? null
}

/** What a page needs beside the document itself. */
export interface Dressing {
  readonly xml: Buffer
  readonly resolucion_numero: number | null
  readonly resolucion_fecha: string | null
  readonly resolucion_boletas_fecha: string | null
  readonly logo: Buffer | null
  readonly footer_text: string | null
}

export async function findDressing(sql: Sql, scope: EmpresaScope, id: string): Promise<Dressing | null> {
  const [row] = await sql<Dressing>`
    select x.xml, e.resolucion_numero, e.resolucion_fecha, e.resolucion_boletas_fecha, b.logo, b.footer_text
    from document d
    join document_xml x on x.document_id = ${id} and x.account_id = d.account_id
    join empresa e on e.account_id = d.account_id and e.id = d.empresa_id
    left join branding b on b.account_id = d.account_id and b.empresa_id = d.empresa_id
    where ${of(scope)} and d.id = ${id}`
  return row ?? null
}
