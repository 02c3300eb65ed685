import { drift } from '../failure.ts'
import type { SiiService } from '../hosts.ts'
import type { PageAnswer } from '../portal/judge.ts'
import { UNVERIFIED } from '../unverified.ts'
import type { Read, Wire } from '../wire.ts'
import { AMBIENTE } from './door.ts'
import { noWire, refusalOf } from './refusals.ts'
import { type SetState, setState } from './sets.ts'

/**
 * Some steps happen in browser applications of the SII whose calls nobody has published. A simulator has a stand-in for
 * them, so that the whole road can be rehearsed; of the SII itself nothing is asked.
 */
export function requireStandIn(wire: Wire, operation: string, fact: keyof typeof UNVERIFIED): void {
  const service: SiiService = 'portal'
  const { hostname } = new URL(wire.hosts[AMBIENTE][service])
  if (/(^|\.)sii\.cl$/i.test(hostname)) throw noWire(service, operation, UNVERIFIED[fact])
}

export interface ReviewState {
  readonly state: SetState
  /** The words of the SII for it. */
  readonly words: string
  /** What it found, line by line. */
  readonly findings: readonly string[]
}

const MAX_FINDINGS = 200

/** A page that says something, and no refusal. */
export function readDone({ page }: PageAnswer): Read<{ readonly sentence: string }> {
  const refused = refusalOf(page)
  if (refused !== null) throw refused
  if (page.text === '') throw drift('sentence of the application')
  return { value: { sentence: page.text.slice(0, 500) } }
}

export function readReview({ page }: PageAnswer): Read<ReviewState> {
  const at = page.pieces.findIndex((piece) => setState(piece) !== null)
  const [words = '', ...rest] = at === -1 ? [] : page.pieces.slice(at).map((piece) => piece.slice(0, 500))
  const state = setState(words)
  if (state === null) throw refusalOf(page) ?? drift('state of the review')
  const findings = rest.filter((piece) => !/^paso /i.test(piece)).slice(0, MAX_FINDINGS)
  return { value: { state, words, findings } }
}
