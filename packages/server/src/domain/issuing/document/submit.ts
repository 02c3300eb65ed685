import type { Resolucion } from '@timbre/dte/emission'
import { tipo } from '@timbre/dte/values'
import { part } from '../../../kernel/db.ts'
import { asRead } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Received, SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext, JobTransaction, Landing } from '../../job.ts'
import { acceptCertificate } from '../../platform/certificate/refuse.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { roadOf } from '../../platform/empresa/refusals.ts'
import { dataOf } from '../../platform/empresa/refused-documents.ts'
import { recordedUsage, recordUsage, type Usage } from '../../platform/usage/record.ts'
import { inferCounterparties } from '../counterparty/infer.ts'
import {
  advanceDocuments,
  type emittedDocuments,
  gatherTransition,
  type ReadDocument,
  sentDocuments,
  unchangedDocuments,
} from './advance.ts'
import { buildEnvelope } from './build-envelope.ts'
import { resolucionFor } from './emisor.ts'
import type { QueuedRow } from './emission-store.ts'
import { type Failed, failDocuments } from './fail.ts'
import { pollDocuments } from './jobs.ts'
import { mailedOf } from './request-result.ts'
import { resumeEmission } from './resume.ts'
import { asSiiDocument, type DocumentRow } from './show.ts'
import { type SignedDocument, signAnew } from './sign-anew.ts'

/** Documents that the SII holds in one envelope, and when to poll it about them. */
interface Transmitted {
  /** Null for what the free portal issued: it has none. */
  readonly envelope_key: string | null
  readonly track_id: string | null
  readonly ids: readonly string[]
  readonly ask_at: Date
}

/**
 * Documents that an earlier run signed may have arrived: asks the SII before they are sent again. Whatever went in the
 * same envelope is there too, also what a job of its own has yet to take up: once the others have their verdicts, nothing
 * would tell that it was sent. What the SII may show only later waits for it, and the rest of the batch does not.
 */
async function findTransmitted(ctx: JobContext, { scope }: JobEmpresa, documents: readonly SignedDocument[]) {
  const sii = ctx.ports.sii[scope.mode]
  const found: Transmitted[] = []
  const waiting = new Map<string, Date>()
  for (const { row } of documents) {
    if (waiting.has(row.id) || found.some(({ ids }) => ids.includes(row.id))) continue
    try {
      const known = await sii.findByNaturalKey({ empresa: scope, document: asSiiDocument(row), at: ctx.now() })
      if (known) found.push({ ...known, ids: known.document_ids, ask_at: ctx.now() })
    } catch (error) {
      if (!(error instanceof SiiUnreachable) || error.again_at === null || error.document_ids === null) throw error
      for (const id of error.document_ids) waiting.set(id, error.again_at)
    }
  }
  return { found, waiting }
}

/** Records in one transaction that the SII has documents: status, usage, address book and the job that polls. */
export async function recordSent(
  tx: JobTransaction,
  { scope, row }: JobEmpresa,
  { envelope_key, track_id, ids, ask_at }: Transmitted,
) {
  const at = tx.now()
  const rows = await advanceDocuments(tx, scope, {
    trigger: 'submitted',
    ids,
    set: part`, envelope_key = ${envelope_key}, track_id = ${track_id}, mailed_track_id = ${mailedOf(scope, track_id)},
      sent_at = ${at}`,
    was: { track_id: null, sent_at: null },
    detail: () => ({ track_id }),
  })
  if (rows.length === 0) return
  await recordUsage(tx.sql, usageOf(scope, rows, at))
  await inferCounterparties(
    tx.sql,
    scope,
    rows.map(({ draft }) => draft.receptor),
    at,
  )
  const payloads =
    envelope_key === null
      ? rows.map(({ id }) => ({ document_id: id }))
      : [{ envelope_key, document_ids: ids, data: dataOf(row), rut: scope.rut }]
  for (const payload of payloads) await tx.enqueue(pollDocuments, { payload, lane: scope.empresa_id, due_at: ask_at })
}

const usageOf = (scope: EmpresaScope, rows: readonly DocumentRow[], at: Date) =>
  rows.map(
    ({ id, tipo_dte }): Usage => ({
      empresa: scope,
      kind: 'document_issued',
      quantity: 1,
      at,
      tipo_dte,
      subject_id: id,
    }),
  )

/** Documents that get their folios with the same statement, or that have them. */
type SentWriter = typeof sentDocuments | typeof emittedDocuments

/** Gathers that the SII has documents: status, usage and the job that polls. The address book is not part of it. */
export function gatherSent(
  landing: Landing,
  { scope, row }: JobEmpresa,
  { envelope_key, track_id, ask_at }: Omit<Transmitted, 'ids'>,
  rows: readonly QueuedRow[],
  writer: SentWriter = sentDocuments,
): void {
  const at = landing.now()
  const sent_now = { envelope_key, track_id, mailed_track_id: mailedOf(scope, track_id), sent_at: at }
  const changes = ({ folio, caf_id }: ReadDocument) => ({ folio, caf_id, ...sent_now })
  const sent = gatherTransition(landing, scope, { trigger: 'submitted', rows, writer, changes, detail: { track_id } })
  landing.gather(recordedUsage, usageOf(scope, rows, at))
  const document_ids = rows.map(({ id }) => id)
  const payload = { envelope_key: envelope_key ?? '', document_ids, data: dataOf(row), rut: scope.rut }
  landing.enqueue(pollDocuments, { payload, lane: scope.empresa_id, due_at: ask_at, hint: sent })
}

/**
 * The same as `recordSent` in one statement, with the end of the jobs that sent them, where nobody touched the documents since this run
 * wrote them. False where somebody did.
 */
async function landSent(
  ctx: JobContext,
  empresa: JobEmpresa,
  received: Omit<Transmitted, 'ids'>,
  rows: readonly QueuedRow[],
  ends: readonly string[],
): Promise<boolean> {
  const { scope } = empresa
  // Safe to repeat, and each row guards itself: no part of the statement.
  await inferCounterparties(
    ctx.sql,
    scope,
    rows.map(({ draft }) => draft.receptor),
    ctx.now(),
  )
  const gather = (landing: Landing) => gatherSent(landing, empresa, received, rows)
  return (await ctx.land([asRead(unchangedDocuments, rows)], gather, ends)) !== null
}

/** Hands signed documents of one kind over to the SII. */
export async function handOver(
  ctx: JobContext,
  empresa: JobEmpresa,
  resolucion: Resolucion,
  documents: readonly SignedDocument[],
): Promise<Received> {
  const { scope } = empresa
  const [{ row: first }] = documents as readonly [SignedDocument]
  const envelope = await buildEnvelope(
    ctx,
    empresa,
    resolucion,
    documents.map(({ row, xml }) => ({ tipo_dte: row.tipo_dte, xml })),
  )
  return ctx.ports.sii[scope.mode].submit({
    empresa: scope,
    envelope,
    kind: tipo(first.tipo_dte).envelope,
    documents: documents.map(({ row }) => asSiiDocument(row)),
    at: ctx.now(),
  })
}

/** By the id of a document, the job that emits it. */
export type EmissionJobs = ReadonlyMap<string, string>

export interface Submitted {
  /** Jobs whose end was recorded with what they did. */
  readonly ended: readonly string[]
  /** By the id of a document that may be there already, when the SII would show it. */
  readonly waiting: ReadonlyMap<string, Date>
}

/** Sends the documents that the SII does not hold yet, and records which it received and which it refused. */
export async function submitDocuments(
  ctx: JobContext,
  empresa: JobEmpresa,
  documents: readonly SignedDocument[],
  jobs: EmissionJobs,
): Promise<Submitted> {
  const { scope } = empresa
  const earlier = documents.filter(({ row }) => row.xml !== null)
  const { found, waiting } = await findTransmitted(ctx, empresa, earlier)
  for (const transmitted of found) await ctx.transact((tx) => recordSent(tx, empresa, transmitted))
  const known = new Set(found.flatMap(({ ids }) => ids))
  const unsent = await signAnew(
    ctx,
    scope,
    documents.filter(({ row }) => !known.has(row.id) && !waiting.has(row.id)),
  )
  const [first] = unsent
  if (!first) return { ended: [], waiting }
  const { tipo_dte } = first.row
  const resolucion = resolucionFor(empresa.row, tipo_dte)
  if (!resolucion) {
    const reason = { code: 'build_refused', message: 'The empresa has declared no resolución.' } as const
    const failed: Failed[] = unsent.map(({ row }) => ({ id: row.id, ...reason }))
    await ctx.transact((tx) => failDocuments(tx, scope, failed))
    return { ended: [], waiting }
  }
  const { refused, ...received } = await handOver(ctx, empresa, resolucion, unsent)
  const refused_ids = new Set(refused.map(({ id }) => id))
  const ids = unsent.map(({ row }) => row.id).filter((id) => !refused_ids.has(id))
  const road = roadOf(tipo_dte)
  const was_refused = empresa.row.certificate_refused[road] !== undefined
  if (!was_refused && refused.length === 0 && unsent.every(({ is_current }) => is_current)) {
    const rows = unsent.map(({ row }) => row)
    const ends = rows.flatMap(({ id }) => jobs.get(id) ?? [])
    if (await landSent(ctx, empresa, received, rows, ends)) return { ended: ends, waiting }
  }
  await ctx.transact(async (tx) => {
    // The empresa before anything under it.
    if (was_refused && ids.length > 0 && (await acceptCertificate(tx, scope, road))) await resumeEmission(tx, scope)
    await failDocuments(tx, scope, refused)
    await recordSent(tx, empresa, { ...received, ids })
  })
  return { ended: [], waiting }
}
