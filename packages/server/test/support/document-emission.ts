// Issues documents through the worker, waits for their end, and reads what was told of them.

import { expect } from 'vitest'
import { DETAIL } from '../../src/domain/issuing/document/detail-schema.ts'
import { type Fragment, part } from '../../src/kernel/db.ts'
import { type EventData, openEventData } from '../../src/kernel/event-data.ts'
import type { Issuer } from './issuer.ts'
import { until } from './until.ts'
import type { Sent, World } from './world.ts'

const SETTLED = ['accepted', 'reparo', 'rejected', 'annulled', 'failed']

/** The document once nothing more happens to it by itself, or once it is what it should become. */
export async function settled(issuer: Issuer, id: string, wanted: readonly string[] = SETTLED): Promise<Sent> {
  await issuer.hasten()
  return until(`${id} to be ${wanted.join(' or ')}`, async () => {
    const sent = await issuer.get(`/v1/documents/${id}`)
    return wanted.includes(sent.body.status) && sent
  })
}

/** Issues a document and waits for its end. */
export async function issue(issuer: Issuer, body: object, wanted?: readonly string[]): Promise<Sent> {
  const sent = await issuer.create(body)
  expect(sent.status, sent.text).toBe(201)
  return settled(issuer, sent.body.id, wanted)
}

export interface JournalLine {
  readonly type: string
  readonly at: string
  readonly detail: Record<string, unknown>
}

export async function journal(issuer: Issuer, id: string): Promise<JournalLine[]> {
  return (await issuer.get(`/v1/documents/${id}/events?limit=100`)).body.data
}

export interface ToldEvent {
  readonly type: string
  readonly created_at: Date
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever an event carries
  readonly data: any
  /** The object as it was written, byte for byte: JSON.stringify gives back the text it once gave. */
  readonly object: string
}

/** What was told of a document, oldest first. */
export async function told(world: World, id: string): Promise<ToldEvent[]> {
  const events = await toldOf(world, part`account_id = (select account_id from document where id = ${id})`)
  return events.filter(({ data }) => data.object.id === id)
}

/** What was told of all documents that match, in the order of the ledger. */
export async function toldOf(world: World, which: Fragment): Promise<ToldEvent[]> {
  const rows = await world.db.sql<Pick<ToldEvent, 'type' | 'created_at'> & EventData>`
    select type, created_at, data::text as data, packed, base_id from event
    where ${which} and type like 'document.%' order by position, id`
  const texts = await openEventData(world.db.sql, rows)
  return rows.map(({ type, created_at }, i) => {
    const data = JSON.parse(texts[i] as string)
    return { type, created_at, data, object: JSON.stringify(data.object) }
  })
}

export const types = (lines: readonly { readonly type: string }[]) => lines.map(({ type }) => type)

/** A document as lists and events carry it: what GET …/{document_id} answers without its lines and terms. */
export function headingOf({ body }: Pick<Sent, 'body'>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([field]) => !(field in DETAIL))))
}
