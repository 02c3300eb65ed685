import type { TipoDte } from '@timbre/dte/values'
import { type Fragment, listed, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'
import { joinDictionary, openXml, type PackedXml, STORED_XML, type StoredXml } from './stored-xml.ts'

type PackedDocument = PackedXml & Tenant & { readonly id: string }

/** `rest` ends the select: a join that leaves some out, or the condition under which anything is written. */
export function insertXml(packed: readonly PackedDocument[], rest: Fragment): Fragment {
  // All files travel as one binary value: the driver would write an array of files out in hexadecimal.
  const files = Buffer.concat(packed.map(({ bytes }) => bytes))
  const starts: number[] = []
  let start = 1
  for (const { bytes } of packed) {
    starts.push(start)
    start += bytes.length
  }
  return part`
    insert into document_xml (account_id, empresa_id, mode, document_id, xml, dictionary_id)
    select s.account_id, s.empresa_id, s.mode, s.id, substr(${files}::bytea, s.start, s.size), s.dictionary_id
    from (select ${tenantsOf(packed)}, ${listed.text(packed.map(({ id }) => id))} as id,
      ${listed.integer(starts)} as start, ${listed.integer(packed.map(({ bytes }) => bytes.length))} as size,
      ${listed.bigint(packed.map(({ dictionary }) => dictionary?.id ?? null))} as dictionary_id) s
    ${rest}`
}

/**
 * By the ids of documents, what an earlier run signed. An XML carries its folio, so documents without one have none: of an ordinary
 * batch nothing is read. A plan that is made once opens every month of XMLs each time it runs, and there are six years of them.
 */
export async function readEarlierXml(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  rows: readonly Pick<DocumentRow, 'id' | 'folio'>[],
): Promise<Map<string, Buffer>> {
  const numbered = rows.flatMap(({ id, folio }) => (folio === null ? [] : [id]))
  if (numbered.length === 0) return new Map()
  const found = await sql<StoredXml & { readonly document_id: string }>`
    select x.document_id, ${STORED_XML} from document_xml x ${joinDictionary}
    where x.document_id = any(${numbered}::text[]) and x.account_id = ${account_id} and x.empresa_id = ${empresa_id}`
  return new Map(found.map((row) => [row.document_id, openXml(row)]))
}

/** Documents as they were signed, in the order of their folios. */
export async function readXmlOf(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
): Promise<{ readonly tipo_dte: TipoDte; readonly xml: Buffer }[]> {
  const rows = await sql<StoredXml & { readonly tipo_dte: TipoDte }>`
    select d.tipo_dte, ${STORED_XML} from document d
    join document_xml x on x.document_id = d.id and x.account_id = d.account_id ${joinDictionary}
    where ${ownedBy(scope, 'd')} and d.id = any(${ids}::text[]) order by d.tipo_dte, d.folio`
  return rows.map((row) => ({ tipo_dte: row.tipo_dte, xml: openXml(row) }))
}
