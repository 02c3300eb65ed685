// Issues documents through the worker, waits for their end, and reads what was told of them.

import { expect } from 'vitest'
import { DETAIL } from '../../src/domain/issuing/document/detail-schema.ts'
import type { Issuer } from './issuer.ts'
import type { Sent, World } from './world.ts'

const PATIENCE_MS = 60_000
const LOOK_MS = 50

/** Looks until it is so. A test that waits in vain says for what. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const until_ms = performance.now() + PATIENCE_MS
  while (performance.now() < until_ms) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`waited in vain for ${what}`)
}

const SETTLED = ['accepted', 'reparo', 'rejected', 'annulled', 'failed']

/** The document once nothing more happens to it by itself, or once it is what it should become. */
export function settled(issuer: Issuer, id: string, wanted: readonly string[] = SETTLED): Promise<Sent> {
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
  /** The object as it was written, byte for byte. */
  readonly object: string
}

/** What was told of a document, oldest first. */
export function told(world: World, id: string): Promise<ToldEvent[]> {
  return world.db.sql<ToldEvent>`
    select type, created_at, data, (data -> 'object')::text as object from event
    where type like 'document.%' and data -> 'object' ->> 'id' = ${id} order by position, id`
}

export const types = (lines: readonly { readonly type: string }[]) => lines.map(({ type }) => type)

/** A document as lists and events carry it: what GET …/{document_id} answers without its lines and terms. */
export function headingOf({ body }: Pick<Sent, 'body'>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([field]) => !(field in DETAIL))))
}
