import type { Mode } from '../../../catalog/modes.ts'
import { type EventData, eventDataBetween } from '../../../kernel/event-data.ts'
import type { Event } from './schema.ts'

export interface EventRow {
  readonly id: string
  readonly mode: Mode
  readonly empresa_id: string | null
  readonly empresa_rut: string | null
  readonly type: string
  readonly created_at: Date
  readonly data: Event['data']
}

type Head = Omit<Event, 'data'>

function headOf(mode: Mode, row: Omit<EventRow, 'data' | 'mode'>): Head {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    api_version: 'v1',
    mode,
    created_at: row.created_at.toISOString(),
    empresa: row.empresa_id === null ? null : { id: row.empresa_id, rut: row.empresa_rut ?? '' },
  }
}

/** The one form of an event: what a GET answers and what a delivery carries are the same bytes of JSON. */
export function showEvent(row: EventRow): Event {
  return { ...headOf(row.mode, row), data: row.data }
}

/**
 * The same as bytes, from `data` as it rests. It was written by JSON.stringify and is the last of the fields, so that
 * reading it and writing it again would only give the same bytes back.
 */
export function eventBytes(mode: Mode, row: Omit<EventRow, 'data' | 'mode'> & EventData): Buffer {
  return eventDataBetween(`${JSON.stringify(headOf(mode, row)).slice(0, -1)},"data":`, row, '}')
}
