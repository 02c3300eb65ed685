import { isDeepStrictEqual } from 'node:util'
import { firstRefusal, parseXml, readDte, verifySignatures } from '@timbre/dte'
import type { Received } from '../support/webhook-receiver.ts'
import { auditDeliveries } from './audit-deliveries.ts'
import type { Auditor } from './auditor.ts'
import type { Acknowledged } from './ledger.ts'
import type { Tenant } from './tenant.ts'

/** All that a customer knows when the dust has settled. */
export interface Evidence {
  readonly auditor: Auditor
  readonly tenant: Tenant
  readonly ledger: readonly Acknowledged[]
  /** Ids of events in the order a reader of GET /events met them, while everything was falling over. */
  readonly feed: readonly string[]
  /** Deliveries the receiver was given, and those among them that it answered with 200. */
  readonly received: readonly Received[]
  readonly taken: readonly Received[]
}

export type Row = Record<string, unknown> & { readonly id: string }
export interface DocumentRow extends Row {
  readonly status: string
  readonly tipo_dte: number
  readonly folio: number
}
export interface EventRow extends Row {
  readonly type: string
  readonly data: { readonly object: DocumentRow }
}

const JOURNAL = ['folio_allocated', 'signed', 'submitted', 'accepted'].map((step) => `document.${step}`)
const EVENTS = ['document.accepted', 'document.created', 'document.sent']
const SAMPLE = 12

/** What is wrong, one sentence each; empty when every promise was kept. */
export async function audit(evidence: Evidence): Promise<string[]> {
  const { auditor, tenant, ledger, feed } = evidence
  const documents = new Map<string, DocumentRow[]>()
  for (const empresa of tenant.empresas) documents.set(empresa, await auditor.list('/v1/documents', empresa))
  const events: EventRow[] = (await auditor.list('/v1/events')).reverse()
  const all = [...documents.values()].flat()
  return [
    ...auditDocuments(ledger, all),
    ...(await auditFolios(auditor, documents)),
    ...auditFeed(feed, events),
    ...auditEvents(all, events),
    ...(await auditDeliveries(evidence, events)),
    ...(await auditUsage(auditor, all)),
    ...(await auditJournals(auditor, documents)),
    ...(await auditReplays(auditor, ledger)),
    ...(await auditXml(auditor, documents)),
  ]
}

export function counts(ids: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1)
  return found
}

/** Every acknowledged document exists once, nothing else does, and each was accepted. */
function auditDocuments(ledger: readonly Acknowledged[], documents: readonly DocumentRow[]): string[] {
  const shown = counts(documents.map(({ id }) => id))
  const asked = counts(ledger.map(({ document_id }) => document_id))
  return [
    ...[...asked].filter(([id]) => shown.get(id) !== 1).map(([id]) => `${id} was acknowledged and is not there once`),
    ...[...asked].filter(([, times]) => times > 1).map(([id]) => `${id} was given to two Idempotency-Keys`),
    ...[...shown].filter(([id]) => !asked.has(id)).map(([id]) => `${id} was issued beside the one acknowledged`),
    ...documents.filter(({ status }) => status !== 'accepted').map(({ id, status }) => `${id} is ${status}`),
  ]
}

/** The folios of each empresa and tipo are 1, 2, 3, … and the next one is free. */
async function auditFolios(auditor: Auditor, documents: ReadonlyMap<string, DocumentRow[]>): Promise<string[]> {
  const wrong: string[] = []
  for (const [empresa, rows] of documents) {
    const stocks: { tipo_dte: number; next_folio: number }[] = (await auditor.read('/v1/folios', empresa)).body.data
    for (const { tipo_dte, next_folio } of stocks) {
      const folios = rows.filter((row) => row.tipo_dte === tipo_dte).map(({ folio }) => folio)
      const expected = folios.map((_, i) => i + 1)
      const sorted = folios.sort((a, b) => a - b)
      if (!isDeepStrictEqual(sorted, expected)) wrong.push(`folios of ${empresa} tipo ${tipo_dte}: ${sorted}`)
      if (next_folio !== folios.length + 1) {
        wrong.push(`${empresa} tipo ${tipo_dte} has ${folios.length} documents and goes on with folio ${next_folio}`)
      }
    }
  }
  return wrong
}

/** Reading forward met every event once, in the order of the ledger. */
function auditFeed(feed: readonly string[], events: readonly EventRow[]): string[] {
  const ids = events.map(({ id }) => id)
  if (isDeepStrictEqual(ids, feed)) return []
  const met = counts(feed)
  const wrong = [
    ...ids.filter((id) => !met.has(id)).map((id) => `reading forward skipped ${id}`),
    ...[...met].filter(([, times]) => times > 1).map(([id, times]) => `reading forward met ${id} ${times} times`),
  ]
  return wrong.length > 0 ? wrong : ['reading forward met the events in another order than the ledger has']
}

/** One event of each kind for each document, and the last says what a GET says. */
function auditEvents(documents: readonly DocumentRow[], events: readonly EventRow[]): string[] {
  const of = new Map<string, EventRow[]>(documents.map(({ id }) => [id, []]))
  const wrong: string[] = []
  for (const event of events.filter(({ type }) => type.startsWith('document.'))) {
    const known = of.get(event.data.object.id)
    if (known) known.push(event)
    else wrong.push(`${event.id} (${event.type}) tells of ${event.data.object.id}, which is not there`)
  }
  for (const document of documents) {
    const told = of.get(document.id) ?? []
    const types = told.map(({ type }) => type).sort()
    if (!isDeepStrictEqual(types, EVENTS)) wrong.push(`${document.id} has the events ${types}`)
    const accepted = told.find(({ type }) => type === 'document.accepted')
    if (accepted && !isDeepStrictEqual(accepted.data.object, document)) {
      wrong.push(`${accepted.id} tells of ${document.id} otherwise than a GET`)
    }
  }
  return wrong
}

/** Each document was counted once. */
async function auditUsage(auditor: Auditor, documents: readonly DocumentRow[]): Promise<string[]> {
  const records = await auditor.list('/v1/usage/records?kind=document_issued')
  const counted = counts(records.map(({ subject_id }) => subject_id))
  return documents.flatMap(({ id }) =>
    counted.get(id) === 1 ? [] : [`${id} was counted ${counted.get(id) ?? 0} times`],
  )
}

async function auditJournals(auditor: Auditor, documents: ReadonlyMap<string, DocumentRow[]>): Promise<string[]> {
  const wrong: string[] = []
  for (const [empresa, rows] of documents) {
    await auditor.each(rows, async ({ id }) => {
      const { data } = (await auditor.read(`/v1/documents/${id}/events`, empresa)).body
      const types = data.map(({ type }: { type: string }) => type)
      if (!isDeepStrictEqual(types, JOURNAL)) wrong.push(`the journal of ${id} is ${types}`)
    })
  }
  return wrong
}

/** No key is stuck, and each still means the document it was first acknowledged with. */
async function auditReplays(auditor: Auditor, ledger: readonly Acknowledged[]): Promise<string[]> {
  const wrong: string[] = []
  await auditor.each(ledger, async ({ idempotency_key, empresa, body, document_id, answer }) => {
    const told = await auditor.ask({ method: 'POST', path: '/v1/documents', empresa, idempotency_key, body })
    const replayed = told.headers.get('svc-idempotent-replay') === 'true'
    if (!replayed || told.bytes.toString('utf8') !== answer) {
      wrong.push(`replaying the key of ${document_id} gave ${told.status} ${told.body.id}, replay: ${replayed}`)
    }
  })
  return wrong
}

/** The signed file of some documents verifies and is that of the document. */
async function auditXml(auditor: Auditor, documents: ReadonlyMap<string, DocumentRow[]>): Promise<string[]> {
  const wrong: string[] = []
  const all = [...documents].flatMap(([empresa, rows]) => rows.map((row) => ({ empresa, row })))
  const sample = all.filter((_, i) => i % Math.ceil(all.length / SAMPLE) === 0)
  await auditor.each(sample, async ({ empresa, row: { id, tipo_dte, folio } }) => {
    const parsed = parseXml((await auditor.read(`/v1/documents/${id}/xml`, empresa)).bytes)
    if (!parsed.ok) return void wrong.push(`the XML of ${id} cannot be read`)
    const refusal = firstRefusal(verifySignatures(parsed.value))
    if (refusal) wrong.push(`the XML of ${id} does not verify: ${refusal.rule}`)
    const read = readDte(parsed.value.root)
    const dte = read.ok ? read.value.dte : null
    if (dte?.folio !== folio || dte.tipo_dte !== tipo_dte || dte.emisor.rut !== empresa) {
      wrong.push(`the XML of ${id} is that of ${dte?.emisor.rut} ${dte?.tipo_dte} ${dte?.folio}`)
    }
  })
  return wrong
}
