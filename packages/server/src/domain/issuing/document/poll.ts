import { DOCUMENT_POLL_SECONDS } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Document } from './schema.ts'

const YOUNG_MS = 120_000

/** The contract's "terminal for polling purposes". A failed one is not: whoever retries it moves it on. */
const TERMINAL: readonly string[] = ['accepted', 'reparo', 'rejected', 'annulled']

/** Seconds to the next useful look at a document; null once it is terminal. */
export function pollAfterDocument({ status, created_at }: Document, mode: string): number | null {
  if (TERMINAL.includes(status)) return null
  const { young, old } = DOCUMENT_POLL_SECONDS[mode as Mode]
  return systemNow() - Date.parse(created_at) < YOUNG_MS ? young : old
}
