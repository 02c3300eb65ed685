import { EVENTS, type EventType } from '../catalog/events.ts'
import type { Sql } from './db.ts'
import { type Base, decodeDelta, encodeDelta, indexBase } from './delta.ts'

// What an event carries rests as its difference from a base, where there is one for its object. Bases are rows that a migration
// wrote and nobody changes: a process keeps those it read.

const bases = new Map<number, Base>()
const newest = new Map<string, number>()

/** Until this was done, events rest as they are: both ways are read. */
export async function loadEventBases(sql: Sql): Promise<void> {
  const rows = await sql<{ id: number; object: string; bytes: Buffer }>`
    select id, object, bytes from event_base order by id`
  for (const { id, object, bytes } of rows) {
    if (!bases.has(id)) bases.set(id, indexBase(bytes))
    newest.set(object, id)
  }
}

/** The columns of an event that hold what it carries. */
export interface EventData {
  readonly data: string | null
  readonly packed: Buffer | null
  readonly base_id: number | null
}

/**
 * `json` as it is written. An event of the account itself stays readable to PostgreSQL: who reaches it is told by what it
 * carries.
 */
export function packEventData(type: EventType, of_empresa: boolean, json: string): EventData {
  const base_id = of_empresa ? newest.get(EVENTS[type].object) : undefined
  const base = base_id === undefined ? undefined : bases.get(base_id)
  if (base_id === undefined || !base) return { data: json, packed: null, base_id: null }
  return { data: null, packed: encodeDelta(base, Buffer.from(json, 'utf8')), base_id }
}

/** The JSON that each row carries, character for character; `data` as text. Reads a base that a newer release brought. */
export async function openEventData(sql: Sql, rows: readonly EventData[]): Promise<string[]> {
  if (rows.some(({ base_id }) => base_id !== null && !bases.has(base_id))) await loadEventBases(sql)
  return rows.map(({ data, packed, base_id }) => {
    if (data !== null) return data
    const base = base_id === null ? undefined : bases.get(base_id)
    if (!base || packed === null) throw new Error('an event rests against a base that is missing')
    return decodeDelta(base.bytes, packed).toString('utf8')
  })
}
