import { EVENTS, type EventType } from '../catalog/events.ts'
import type { Sql } from './db.ts'
import { knowBases, openBetween, openText, packText } from './text-base.ts'

/** The columns of an event that hold what it carries: the JSON, or its difference from a base. */
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
  const packed = of_empresa ? packText(EVENTS[type].object, json) : null
  return packed ? { data: null, ...packed } : { data: json, packed: null, base_id: null }
}

/** The JSON that each row carries, character for character; `data` as text. */
export async function openEventData(sql: Sql, rows: readonly EventData[]): Promise<string[]> {
  const ids = rows.map(({ base_id }) => base_id)
  await knowBases(sql, ids)
  return rows.map(({ data, packed, base_id }) => {
    if (data !== null) return data
    if (packed === null || base_id === null) throw new Error('an event carries nothing')
    return openText(base_id, packed)
  })
}

/** The same in UTF-8, between two texts. Its base has to be known (`knowBases`). */
export function eventDataBetween(before: string, { data, packed, base_id }: EventData, after: string): Buffer {
  if (data !== null) return Buffer.from(before + data + after)
  if (packed === null || base_id === null) throw new Error('an event carries nothing')
  return openBetween(before, base_id, packed, after)
}
