// A document inserted as emission leaves it, without emitting it.

import type { DteDraft } from '@timbre/dte'
import { priceDraft } from '@timbre/dte/draft'
import type { DocumentStatus } from '../../src/domain/issuing/document/schema.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/id.ts'
import type { Issuer } from './issuer.ts'
import { sampleDraft, signedXml } from './signed-document.ts'
import type { World } from './world.ts'

export interface IssuedDocument {
  readonly id: string
  readonly folio: number
  readonly xml: Buffer
  readonly ted: string
}

interface Options {
  readonly status?: DocumentStatus
  readonly tipo_dte?: 33 | 39
  readonly draft?: Partial<DteDraft>
  readonly pdf_format?: string
  readonly pdf_cedible?: boolean
  /** Set false for one that has no folio and no signature yet. */
  readonly signed?: boolean
}

let folios = 0

/** A document where a test needs it, without the second that emitting it takes. Its XML and its timbre are real. */
export async function issue(world: World, issuer: Issuer, options: Options = {}): Promise<IssuedDocument> {
  const { status = 'accepted', signed = true } = options
  const base = sampleDraft(options.tipo_dte)
  const draft = { ...base, emisor: { ...base.emisor, rut: issuer.rut }, ...options.draft }
  const folio = ++folios
  const { net = 0, iva = 0, exempt = 0, total } = priceDraft(draft).totals
  const { xml, ted } = signedXml(draft, folio)
  const id = newId('document')
  const [owner] = await world.db.sql<{ account_id: string; mode: string }>`
    select account_id, mode from empresa where id = ${issuer.empresa_id}`
  const whose = [owner?.account_id, issuer.empresa_id, owner?.mode]
  await world.db.sql`
    insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
      receptor_rut, draft, receptor_sources, metadata, pdf_format, pdf_cedible, created_at)
    values (${whose[0]}, ${whose[1]}, ${whose[2]}, ${id}, ${status}, ${draft.tipo_dte}, ${signed ? folio : null},
      ${draft.issue_date}, ${net}, ${iva}, ${exempt}, ${total}, ${draft.receptor.rut}, ${JSON.stringify(draft)}, '{}',
      '{}', ${options.pdf_format ?? null}, ${options.pdf_cedible ?? false}, ${new Date(systemNow())})`
  if (signed) {
    await world.db.sql`
      insert into document_xml (account_id, empresa_id, mode, document_id, xml)
      values (${whose[0]}, ${whose[1]}, ${whose[2]}, ${id}, ${xml})`
  }
  return { id, folio, xml, ted }
}
