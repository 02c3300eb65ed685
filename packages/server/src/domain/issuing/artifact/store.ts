import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { joinEmpresa } from '../../platform/empresa/sql.ts'
import type { PrintFormat } from '../branding/schema.ts'
import { joinBranding } from '../branding/sql.ts'
import type { DocumentRow } from '../document/show.ts'
import {
  fromDocument,
  fromSignedDocument,
  isDocument,
  openAnyXml,
  openXml,
  STORED_XML,
  type StoredXml,
} from '../document/sql.ts'

/** A document and what decides how it is printed. */
export interface PrintableRow extends DocumentRow {
  /** SHA-256 of the signed XML as it rests, in hex: another XML has another. Null until it is signed. */
  readonly xml_digest: string | null
  readonly print_format: PrintFormat | null
}

export async function findPrintable(sql: Sql, scope: EmpresaScope, id: string): Promise<PrintableRow | null> {
  const [row] = await sql<PrintableRow>`
    select d.*, encode(sha256(x.xml), 'hex') as xml_digest, b.print_format
    ${fromDocument(id)} ${joinBranding('d')}
    where ${isDocument(scope, id)}`
  return row ?? null
}

export interface SignedRow {
  readonly status: DocumentRow['status']
  readonly tipo_dte: number
  readonly folio: number | null
  readonly xml: Buffer | null
}

export async function findSigned(sql: Sql, scope: EmpresaScope, id: string): Promise<SignedRow | null> {
  const [row] = await sql<SignedRow & StoredXml<Buffer | null>>`
    select d.status, d.tipo_dte, d.folio, ${STORED_XML} ${fromDocument(id)}
    where ${isDocument(scope, id)}`
  return row ? { ...row, xml: openAnyXml(row) } : null
}

/** What a page shows beside the document itself. */
export interface Letterhead {
  readonly xml: Buffer
  readonly resolucion_numero: number | null
  readonly resolucion_fecha: string | null
  readonly resolucion_boletas_fecha: string | null
  readonly logo: Buffer | null
  readonly footer_text: string | null
}

export async function findLetterhead(sql: Sql, scope: EmpresaScope, id: string): Promise<Letterhead | null> {
  const [row] = await sql<Letterhead & StoredXml>`
    select ${STORED_XML}, e.resolucion_numero, e.resolucion_fecha, e.resolucion_boletas_fecha, b.logo, b.footer_text
    ${fromSignedDocument(id)} ${joinEmpresa('d')} ${joinBranding('d')}
    where ${isDocument(scope, id)}`
  return row ? { ...row, xml: openXml(row) } : null
}
