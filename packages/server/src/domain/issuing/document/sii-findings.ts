import { listed } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { InspectedResult } from '../../../ports/inspection.ts'
import type { SiiVerdict } from '../../../ports/sii.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import type { AdvanceContext } from './advance.ts'
import type { LockedForSettling } from './emission-store.ts'
import { explainVerdict } from './explain-verdict.ts'
import { type DocumentRow, type SiiAnswerRow, showDocument } from './show.ts'
import { insertJournal } from './store.ts'

export type FindingContext = Pick<AdvanceContext, 'sql' | 'now' | 'emit' | 'addresses'>

/** The SII does not find the file: its bytes are sent again, under a track id that it tells later. */
const LOST = 'VOF'
const NOTHING: SiiAnswerRow = { glosa: null, explanation: null }

type Told = NonNullable<SiiAnswerRow['told']>

/**
 * Adds what a result e-mail found to the documents of an envelope, by any track id that it was sent under. Where the SII
 * may have a copy whose track id it never told us, the documents that the mail names are found by tipo and folio. The mail can
 * be forged, so the SII's answer over the wire decides alone: words are added to what that refused or observed without
 * saying why, and no status moves. While it has not answered they wait with the document. False where nothing of ours is
 * meant.
 */
export async function recordFindings(
  tx: FindingContext,
  scope: EmpresaScope,
  { track_id, documents, envelope }: InspectedResult['result'],
): Promise<boolean> {
  // The SII pads the number to ten digits in some places and not in others.
  const bare = track_id.replace(/^0+/, '')
  const names = [track_id, bare, bare.padStart(10, '0')]
  const tipos = documents.map(({ tipo_dte }) => tipo_dte)
  const folios = documents.map(({ folio }) => folio)
  // In the order of their ids, as those who settle lock them.
  const rows = await tx.sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and id in (
      select id from document where ${ownedBy(scope)} and mailed_track_id = any(${names}::text[])
      union select id from document where ${ownedBy(scope)} and former_track_ids && ${names}::text[]
      union select d.id from document d join (select ${listed.integer(tipos)} as tipo_dte,
        ${listed.bigint(folios)} as folio) m
        on d.tipo_dte = m.tipo_dte and d.folio = m.folio
        where ${ownedBy(scope, 'd')} and d.envelope_key is not null
          and (d.track_id is null or d.former_track_ids is not null or d.estado = ${LOST})
    ) order by id for update`
  for (const row of rows) {
    const own = documents.find(({ tipo_dte, folio }) => tipo_dte === row.tipo_dte && folio === row.folio)
    const { code, glosa, outcome } = own ?? { ...envelope, outcome: 'rejected' as const }
    if (code === undefined || glosa === undefined) continue
    const told = { code, glosa, outcome }
    if (row.status === 'sent') await saveAnswer(tx, scope, row.id, { ...NOTHING, ...row.sii_answer, told })
    else if (row.status === outcome && row.sii_answer?.has_finding === false) await addFinding(tx, scope, row, told)
  }
  return rows.length > 0
}

async function addFinding(tx: FindingContext, scope: EmpresaScope, before: DocumentRow, told: Told): Promise<void> {
  const said = {
    outcome: told.outcome,
    estado: before.estado ?? '',
    finding: null,
    glosa: before.sii_answer?.glosa ?? '',
  }
  const verdict = enriched(said, told)
  const explanation = await explainVerdict(verdict)
  const row = await saveAnswer(tx, scope, before.id, { glosa: verdict.glosa, explanation, has_finding: true })
  const detail = { finding: told.code, glosa: told.glosa, ...(explanation && { code: explanation.code }) }
  const type = 'document.finding_received'
  await tx.sql`${insertJournal(scope, [{ document_id: row.id, type, detail }], tx.now())}`
  const object = showDocument(row, tx.addresses)
  tx.emit({
    type,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: previousAttributes(showDocument(before, tx.addresses), object) ?? {},
    detail,
  })
}

async function saveAnswer(
  { sql }: Pick<FindingContext, 'sql'>,
  scope: EmpresaScope,
  id: string,
  answer: SiiAnswerRow,
): Promise<DocumentRow> {
  const [row] = await sql<DocumentRow>`
    update document set sii_answer = ${JSON.stringify(answer)}::json where ${ownedBy(scope)} and id = ${id} returning *`
  if (!row) throw new Error(`the document ${id} is not locked`)
  return row
}

/** Verdicts with what result e-mails said of the same documents, where they say the same and the wire did not say why. */
export function withTold(
  verdicts: ReadonlyMap<string, SiiVerdict>,
  locked: readonly LockedForSettling[],
): Map<string, SiiVerdict> {
  const answers = new Map(locked.map(({ id, sii_answer }) => [id, sii_answer]))
  return new Map(
    [...verdicts].map(([id, verdict]) => {
      const told = answers.get(id)?.told
      const agrees = told?.outcome === verdict.outcome && verdict.finding === null
      return [id, told && agrees ? enriched(verdict, told) : verdict]
    }),
  )
}

/** The words of the wire first, then those of the mail, which may come twice. */
function enriched(verdict: SiiVerdict, { code, glosa }: Told): SiiVerdict {
  const words = verdict.glosa.includes(glosa) ? verdict.glosa : `${verdict.glosa} ${glosa}`.trim()
  return { ...verdict, finding: code, glosa: words }
}
