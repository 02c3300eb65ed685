import { priceDraft } from '@timbre/dte/draft'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { PortalAnswer, PortalRefusal, SiiPortal } from '../../../ports/sii-portal.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { refuseSfgCredential } from '../../platform/sfg-credential/refuse.ts'
import { lockWithoutFolio, type QueuedRow, saveGivenFolio, saveXml } from './emission-store.ts'
import { failDocuments } from './fail.ts'
import type { Failure } from './schema.ts'
import { recordSent } from './submit.ts'

/** Whether the free portal numbers and signs a document. One with a folio of ours went another way already. */
export function leavesByPortal({ emission_channel, tipo_dte, folio }: QueuedRow): boolean {
  return folio === null && getsFolioFromSii(emission_channel, tipo_dte)
}

/**
 * Issues documents on the free portal, one at a time and in the order of creation. Folio and XML come together from the
 * SII and are stored in one transaction; one that dies before it asks again, and the portal tells what became of it.
 */
export async function emitAtPortal(
  ctx: JobContext,
  empresa: JobEmpresa,
  portal: SiiPortal,
  batch: readonly QueuedRow[],
): Promise<void> {
  const { scope } = empresa
  for (const row of batch) {
    const { items, discounts, surcharges, totals } = priceDraft(row.draft)
    const document = { ...row.draft, items, discounts, surcharges, totals }
    const answer = await portal.issue({ empresa: scope, document_id: row.id, document })
    await ctx.transact((tx) =>
      answer.issued ? recordIssued(tx, empresa, row, answer) : refuse(tx, scope, row, answer),
    )
    if (!answer.issued && answer.reason === 'credential_refused') return
  }
}

type Issued = Extract<PortalAnswer, { readonly issued: true }>
type Refused = Extract<PortalAnswer, { readonly issued: false }>

async function recordIssued(tx: JobTransaction, empresa: JobEmpresa, { id }: QueuedRow, { folio, xml }: Issued) {
  const { scope } = empresa
  // Another worker may have asked as well, and was given the same answer.
  const [wanting] = await lockWithoutFolio(tx.sql, scope, [id])
  if (wanting === undefined) return
  await saveGivenFolio(tx.sql, scope, { id, folio }, tx.now())
  await saveXml(tx.sql, scope, [{ id, xml }], tx.now())
  await recordSent(tx, empresa, { envelope_key: null, track_id: null, ids: [id], ask_at: tx.now() })
}

const CODES = {
  refused: 'sii_rejected',
  person_not_authorised: 'sender_not_authorized',
  credential_refused: 'empresa_inactive',
} as const satisfies Record<PortalRefusal, Failure['code']>

const ADVICE: Readonly<Record<PortalRefusal, string>> = {
  refused: 'The free portal of the SII did not take it.',
  person_not_authorised:
    'The holder of the certificate is no usuario autorizado of the empresa on the free portal: the representante legal enrols them at sii.cl.',
  credential_refused:
    'The SII did not sign with the SFG credential of the empresa: store the right one with POST /empresas/{empresa_id}/sfg_credential, then retry.',
}

async function refuse(tx: JobTransaction, scope: EmpresaScope, { id }: QueuedRow, { reason, sentence }: Refused) {
  const message = `${ADVICE[reason]} Its words: ${sentence}`
  // The empresa before anything under it.
  if (reason === 'credential_refused') await refuseSfgCredential(tx, scope)
  await failDocuments(tx, scope, [{ id, code: CODES[reason], message }])
}
