// Takes a document to the end of its emission without the worker.

import type { DteDraft } from '@timbre/dte'
import type { Document, DocumentStatus } from '../../src/domain/issuing/document/schema.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import type { Issuer } from './issuer.ts'
import { signedXml } from './signed-document.ts'
import type { World } from './world.ts'

let folio = 1000

/** Puts a document where its emission would have taken it, for tests of what comes after. */
export async function settle(world: World, document_id: string, status: DocumentStatus = 'accepted'): Promise<void> {
  const now = new Date(systemNow())
  const [row] = await world.db.sql<{ account_id: string; empresa_id: string; draft: DteDraft; folio: number }>`
    update document set status = ${status}, folio = coalesce(folio, ${folio++}), sent_at = ${now}, settled_at = ${now}
    where id = ${document_id} returning account_id, empresa_id, draft, folio`
  if (!row) throw new Error(`no document ${document_id}`)
  const { xml } = signedXml(row.draft, row.folio)
  await world.db.sql`
    insert into document_xml (account_id, empresa_id, mode, document_id, xml)
    select ${row.account_id}, ${row.empresa_id}, mode, id, ${xml} from document where id = ${document_id}
    on conflict do nothing`
}

/** A document that the SII took, without waiting for it. */
export async function accepted(world: World, issuer: Issuer, body: object): Promise<Document> {
  const made = await issuer.create(body)
  if (made.status !== 201) throw new Error(made.text)
  await settle(world, made.body.id)
  return (await issuer.get(`/v1/documents/${made.body.id}`)).body
}
