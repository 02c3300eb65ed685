import { canonicalRut } from '@timbre/dte/values'
import type { Counterparty } from '../../domain/issuing/counterparty/schema.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import type { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'
import { invalidField, Problem } from '../../kernel/problem.ts'
import type { OwnToolContext } from '../own-tool.ts'
import { plain } from '../plain-words.ts'
import { kindOf } from './said.ts'

/** Kinds as people call them, the longer names first: a factura exenta is no factura. */
const KINDS: readonly (readonly [words: string, tipo_dte: number])[] = [
  ['nota crédito', 61],
  ['nota débito', 56],
  ['guía', 52],
  ['factura compra', 46],
  ['boleta exenta', 41],
  ['boleta', 39],
  ['factura exenta', 34],
  ['factura', 33],
]

/** `factura 1234`, `33-1234`, `1234`: the kind, where it is said, and the number. */
export function readReference(text: string): { readonly tipo_dte?: number; readonly folio: number } | null {
  const words = new Set(plain(text))
  const numbers = (text.replaceAll('.', '').match(/\d+/g) ?? []).map(Number)
  const folio = numbers.at(-1)
  if (folio === undefined || !Number.isSafeInteger(folio)) return null
  const coded = numbers.length === 2 ? KINDS.find(([, tipo]) => tipo === numbers[0]) : undefined
  const kind = coded ?? KINDS.find(([name]) => plain(name).every((word) => words.has(word)))
  return kind ? { tipo_dte: kind[1], folio } : { folio }
}

const HOW = 'name it as "factura 1234" or by its id.'

function theOnly<T extends { readonly tipo_dte: number; readonly id: string }>(
  rows: readonly T[],
  missing: 'document_not_found' | 'received_document_not_found',
): T {
  const [one, other] = rows
  if (!one) throw new Problem(missing)
  if (!other) return one
  const choices = rows.slice(0, 5).map(({ tipo_dte, id }) => `${kindOf(tipo_dte)} (${id})`)
  throw invalidField('document', `several fit: ${choices.join(', ')}. Name one by its id.`)
}

/** The issued document that a text names. */
export async function findIssued(ctx: OwnToolContext, empresa: string | undefined, text: string): Promise<Document> {
  if (text.startsWith('doc_')) return ctx.read('documents.get', { empresa, document_id: text })
  const reference = readReference(text)
  if (!reference) throw invalidField('document', HOW)
  const { rows } = await ctx.rows<Document>('documents.list', { empresa, ...reference }, 10)
  return theOnly(rows, 'document_not_found')
}

/** The document of a supplier that a text names; two suppliers may have used the same number. */
export async function findReceived(
  ctx: OwnToolContext,
  { empresa, document, supplier }: { readonly empresa?: string; readonly document: string; readonly supplier?: string },
): Promise<ReceivedDocument> {
  if (document.startsWith('rcd_'))
    return ctx.read('received_documents.get', { empresa, received_document_id: document })
  const reference = readReference(document)
  if (!reference) throw invalidField('document', HOW)
  const rut = supplier === undefined ? null : canonicalRut(supplier)
  const filter = { empresa, ...reference, ...(rut && { emisor_rut: rut }) }
  const { rows } = await ctx.rows<ReceivedDocument>('received_documents.list', filter, 20)
  const named = supplier === undefined || rut ? rows : rows.filter(({ emisor }) => fits(supplier, emisor.legal_name))
  return theOnly(named, 'received_document_not_found')
}

/** Whether a name holds every word of what was asked for. */
export function fits(asked: string, name: string | null): boolean {
  const words = new Set(plain(name ?? ''))
  const wanted = plain(asked)
  return wanted.length > 0 && wanted.every((word) => words.has(word))
}

/** The parties of the address book whose name holds the words. */
export async function partiesNamed(
  ctx: OwnToolContext,
  empresa: string | undefined,
  name: string,
): Promise<Counterparty[]> {
  const { rows } = await ctx.rows<Counterparty>('counterparties.list', { empresa })
  return rows.filter((one) => fits(name, one.legal_name))
}

/** The RUT of whom a text names, by itself or by the address book. */
export async function rutOf(
  ctx: OwnToolContext,
  empresa: string | undefined,
  who: string,
  param: string,
): Promise<string> {
  const rut = canonicalRut(who)
  if (rut !== null) return rut
  if (!ctx.reaches('counterparties.list'))
    throw invalidField(param, 'name it by its RUT: the address book is beyond your reach.')
  const found = await partiesNamed(ctx, empresa, who)
  if (found.length === 1 && found[0]) return found[0].rut
  const choices = found.slice(0, 5).map(({ rut: one, legal_name }) => `${legal_name} (${one})`)
  const reason =
    choices.length === 0 ? 'nobody of that name is in the address book' : `several fit: ${choices.join(', ')}`
  throw invalidField(param, `${reason}. Name it by its RUT.`)
}
