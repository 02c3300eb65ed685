import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { joinDictionary } from './stored-xml.ts'
import { documentsOf } from './year.ts'

export { openAnyXml, openXml, STORED_XML, type StoredXml } from './stored-xml.ts'

/** A document `d` with its signed XML (`STORED_XML`), for statements that join more to them in one round trip. */
export function fromDocument(id: string): Fragment {
  return part`from ${documentsOf([id])} d left join document_xml x on x.document_id = ${id} and x.account_id = d.account_id ${joinDictionary}`
}

/** The same once it is signed: without an XML there is no row. */
export function fromSignedDocument(id: string): Fragment {
  return part`from ${documentsOf([id])} d join document_xml x on x.document_id = ${id} and x.account_id = d.account_id ${joinDictionary}`
}

export function isDocument({ account_id, empresa_id, mode }: EmpresaScope, id: string): Fragment {
  return part`d.account_id = ${account_id} and d.empresa_id = ${empresa_id} and d.mode = ${mode} and d.id = ${id}`
}
