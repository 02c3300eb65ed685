import type { ClaimEvent } from '../claims/rules.ts'
import { santiago } from '../clock.ts'
import type { Ambiente } from '../hosts.ts'
import { type Entry, purchaseEntry, type RegisteredDocument, saleEntry } from '../rcv/entries.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import type { SiiDocument } from '../state/types.ts'
import { factsOf } from './facts.ts'

/** What the registers keep besides the documents themselves, each by the document's key. */
const eventsOf = (ctx: Simulator) => ctx.state.store<ClaimEvent[]>('claim_events')
const kindsOf = (ctx: Simulator) => ctx.state.store<number>('purchase_kinds')

export function keyOf({ ambiente, emisor, tipo, folio }: SiiDocument): string {
  return documentKey(ambiente, emisor, tipo, folio)
}

/** The acts of the buyer, and the credit notes that the SII itself noted, by their hour. */
export function claimEvents(ctx: Simulator, document: SiiDocument): ClaimEvent[] {
  const notes = document.notes.flatMap(({ tipo, folio, cod_ref }): ClaimEvent[] => {
    const note = ctx.state.documents.get(documentKey(document.ambiente, document.emisor, tipo, folio))
    if (tipo !== 61 || note === undefined) return []
    return [{ code: cod_ref === 1 ? 'NCA' : 'ENC', rut: document.emisor, at: note.received_at }]
  })
  return [...(eventsOf(ctx).get(keyOf(document)) ?? []), ...notes].sort((a, b) => a.at - b.at)
}

export function recordEvent(ctx: Simulator, document: SiiDocument, event: ClaimEvent): void {
  const key = keyOf(document)
  eventsOf(ctx).put(key, [...(eventsOf(ctx).get(key) ?? []), event])
}

export function choosePurchaseKind(ctx: Simulator, document: SiiDocument, kind: number): void {
  kindsOf(ctx).put(keyOf(document), kind)
}

/** The document's own text, as it came. */
export function textOf(ctx: Simulator, document: SiiDocument): string {
  return Buffer.from(ctx.state.document_files.get(keyOf(document)) ?? []).toString('latin1')
}

function registered(ctx: Simulator, document: SiiDocument): RegisteredDocument {
  return {
    facts: factsOf(document, textOf(ctx, document)),
    received_at: document.received_at,
    events: claimEvents(ctx, document),
    purchase_kind: kindsOf(ctx).get(keyOf(document)) ?? null,
  }
}

/** The tax month of an instant in Santiago: `202610`. */
export function periodOf(instant: number): string {
  return santiago(instant).date.slice(0, 7).replace('-', '')
}

/** The register of purchases of a company: what others emitted to it, and its own facturas de compra. */
export function purchasesOf(ctx: Simulator, rut: string, ambiente: Ambiente = 'produccion'): Entry[] {
  const now = ctx.clock.now()
  const bought = received(ctx, rut, ambiente).filter(({ tipo }) => tipo !== 46)
  const own = emitted(ctx, rut, ambiente).filter(({ tipo }) => tipo === 46)
  return [...bought, ...own].flatMap((document) => purchaseEntry(registered(ctx, document), now, periodOf) ?? [])
}

export function salesOf(ctx: Simulator, rut: string, ambiente: Ambiente = 'produccion'): Entry[] {
  return emitted(ctx, rut, ambiente).flatMap((document) => saleEntry(registered(ctx, document)) ?? [])
}

export function emitted(ctx: Simulator, rut: string, ambiente: Ambiente): SiiDocument[] {
  return ctx.state.documents.values(`${ambiente}:${rut}:`)
}

export function received(ctx: Simulator, rut: string, ambiente: Ambiente): SiiDocument[] {
  return ctx.state.documents.values(`${ambiente}:`).filter(({ receptor }) => receptor === rut)
}

/** A document that the SII holds, by what a caller knows of it. */
export function findDocument(
  ctx: Simulator,
  ambiente: Ambiente,
  emisor: string,
  tipo: number,
  folio: number,
): SiiDocument | null {
  return ctx.state.documents.get(documentKey(ambiente, emisor, tipo, folio)) ?? null
}
