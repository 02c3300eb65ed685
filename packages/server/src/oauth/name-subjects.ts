import { isTipoDte, tipo } from '@timbre/dte/values'
import { nameDocuments } from '../domain/issuing/document/names.ts'
import type { ActsPage } from '../domain/platform/agent-grant/acts.ts'
import { nameReceived } from '../domain/receiving/received-document/names.ts'
import type { Sql } from '../kernel/db.ts'
import { isId } from '../kernel/id.ts'
import type { AccountScope } from '../kernel/scope.ts'
import type { ActsView } from '../pages/agent-acts.ts'

const named = (number: number, folio: number | null) =>
  `${isTipoDte(number) ? tipo(number).name : `documento de tipo ${number}`}${folio === null ? '' : ` N° ${folio}`}`

/** What acts were done to, as a person knows it: documents by their tipo and folio, those of suppliers by whose they are too. */
export async function nameSubjects(
  sql: Sql,
  account: AccountScope,
  acts: ActsPage['acts'],
): Promise<ActsView['names']> {
  const subjects = [...new Set(acts.flatMap(({ subject }) => subject ?? []))]
  const idsOf = (kind: 'document' | 'received_document') => subjects.filter((id) => isId(kind, id))
  const [documents, received] = [
    await nameDocuments(sql, account, idsOf('document')),
    await nameReceived(sql, account, idsOf('received_document')),
  ]
  return new Map([
    ...documents.map(({ id, tipo_dte, folio, total }) => [id, { name: named(tipo_dte, folio), total }] as const),
    ...received.map(
      ({ id, tipo_dte, folio, emisor_name, total }) =>
        [id, { name: `${named(tipo_dte, folio)} de ${emisor_name}`, total }] as const,
    ),
  ])
}
