import type { Sql } from './db.ts'
import { type Base, encodeDelta, indexBase } from './delta.ts'
import { decodeDelta } from './delta-read.ts'
import { scratchText } from './scratch.ts'

// Texts that are much alike rest as their difference from a base (kernel/delta.ts). Bases are rows that a migration wrote and nobody
// changes: a process keeps those it read. For each kind of text the newest serves what is written from now on.

const bases = new Map<number, Base>()
const newest = new Map<string, number>()

/** Until this was done, texts rest as they are: both ways are read. */
export async function loadTextBases(sql: Sql): Promise<void> {
  const rows = await sql<{ id: number; object: string; bytes: Buffer }>`
    select id, object, bytes from text_base order by id`
  for (const { id, object, bytes } of rows) {
    if (!bases.has(id)) bases.set(id, indexBase(bytes))
    newest.set(object, id)
  }
}

/** Reads the bases that a newer release brought, where one of them is asked for. */
export async function knowBases(sql: Sql, ids: readonly (number | null)[]): Promise<void> {
  if (ids.some((id) => id !== null && !bases.has(id))) await loadTextBases(sql)
}

/** A text as its difference from the newest base of its kind; null where there is none. */
export function packText(object: string, text: string): { readonly packed: Buffer; readonly base_id: number } | null {
  const base_id = newest.get(object)
  const base = base_id === undefined ? undefined : bases.get(base_id)
  if (base_id === undefined || !base) return null
  return { packed: encodeDelta(base, scratchText(text)), base_id }
}

function baseOf(base_id: number): Base {
  const base = bases.get(base_id)
  if (!base) throw new Error('a text rests against a base that is missing')
  return base
}

export function openText(base_id: number, packed: Buffer): string {
  return decodeDelta(baseOf(base_id).bytes, packed).toString('utf8')
}

/** The same as the bytes that are sent, between others: what is never looked at as a text need not become one. */
export function openBetween(before: string, base_id: number, packed: Buffer, after: string): Buffer {
  const room = { before: Buffer.byteLength(before), after: Buffer.byteLength(after) }
  const bytes = decodeDelta(baseOf(base_id).bytes, packed, room)
  bytes.write(before, 0)
  bytes.write(after, bytes.length - room.after)
  return bytes
}
