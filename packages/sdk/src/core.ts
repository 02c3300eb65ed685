import { Client } from './client.ts'
import type { TimbreOptions } from './config.ts'
import type { ResourceOf } from './resource.ts'

export { type Checkpoint, memoryCheckpoint } from './checkpoint.ts'
export type { Client, RawRequest } from './client.ts'
export type { AnswerFacts, TimbreOptions } from './config.ts'
export * from './errors.ts'
export { FileAnswer } from './file-answer.ts'
export type { EventPattern, FollowOptions, Matching } from './follow.ts'
export type { AccountErrorCode, ErrorCode } from './generated/codes.ts'
export type { Event, EventObjects, EventOf, EventType } from './generated/events.ts'
export * from './generated/resources.ts'
export type * from './generated/types.ts'
export { type Documents, documents } from './resources/documents.ts'
export { type Events, events } from './resources/events.ts'
export { type Jobs, jobs } from './resources/jobs.ts'
export type { AccountAnswer, CallOptions, List, Page, PageCall } from './shapes.ts'
export type { WaitOptions } from './wait.ts'
export { type HeadersLike, type VerifyOptions, verify, webhooks } from './webhooks.ts'

type Factories = Readonly<Record<string, ResourceOf<unknown>>>
type Made<Chosen extends Factories> = { readonly [Name in keyof Chosen]: ReturnType<Chosen[Name]> }

/**
 * A client with the resources that are named, and no other in the bundle:
 * `createClient({ key }, { documents, jobs })`.
 */
export function createClient<const Chosen extends Factories>(
  options: TimbreOptions,
  chosen: Chosen,
): Client & Made<Chosen> {
  const client = new Client(options)
  const made = Object.entries(chosen).map(([name, make]) => [name, make(client)])
  return Object.assign(client, Object.fromEntries(made)) as Client & Made<Chosen>
}
