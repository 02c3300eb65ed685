import { type Fragment, part } from './db.ts'
import type { Pool } from './job.ts'

/** Whose events they are. */
export interface Whose {
  readonly account_id: string | null
  readonly mode: string | null
}

/**
 * Writes what follows from new events (deliveries to webhook endpoints) in the very statement of the events. A statement leaves that
 * out for accounts to whom nobody listened when one last looked, and writes nothing if that is no longer so.
 */
export interface FanOut {
  /** Given the name of the statement part that holds the events, gives the parts to add. */
  readonly deliver: (
    events: Fragment,
    count: number,
    when: { readonly created_at: Date; readonly due_at: Date; readonly run_at: Date },
  ) => {
    readonly parts: readonly Fragment[]
    /** JSON: the account of each lane in which anything was queued for them, by the lane; null where nothing was. */
    readonly lanes: Fragment
  }
  /** What is queued for them waits in this share of a worker. */
  readonly pool: Pool
  /** A boolean: whether nobody listens to any of these accounts. */
  readonly isQuiet: (whose: readonly Whose[]) => Fragment
  readonly remembered: QuietAccounts
}

export interface QuietAccounts {
  /** Whether all of them were quiet when a statement last looked. */
  includes(whose: readonly Whose[]): boolean
  /** What a statement found of them together. */
  note(whose: readonly Whose[], quiet: boolean): void
}

const MAX_ACCOUNTS = 20_000

const nameOf = ({ account_id, mode }: Whose) => `${account_id}|${mode}`

/** A guess, never more: whoever goes by it looks again in the statement that writes. */
export function rememberQuiet(): QuietAccounts {
  const names = new Set<string>()
  return {
    includes: (whose) => whose.every((one) => names.has(nameOf(one))),
    note(whose, quiet) {
      if (quiet && names.size + whose.length > MAX_ACCOUNTS) names.clear()
      for (const one of whose) {
        if (quiet) names.add(nameOf(one))
        else names.delete(nameOf(one))
      }
    },
  }
}

/** Where nothing follows from an event. */
export const NOWHERE: FanOut = {
  deliver: () => ({ parts: [], lanes: part`null::json` }),
  pool: 'calls',
  isQuiet: () => part`true`,
  remembered: { includes: () => true, note: () => undefined },
}

/** What one statement does about those who may listen. */
export interface Hearing {
  readonly delivers: boolean
  /** A boolean: whether nobody listens. */
  readonly is_quiet: Fragment
}

/** Runs a statement by what is remembered, and once more with deliveries where somebody listens after all. */
export async function runHeard<Row extends { readonly quiet: boolean }>(
  { isQuiet, remembered }: FanOut,
  whose: readonly Whose[],
  run: (hearing: Hearing) => Promise<Row>,
): Promise<Row> {
  if (whose.length === 0) return run({ delivers: false, is_quiet: part`true` })
  const is_quiet = isQuiet(whose)
  const guessed = remembered.includes(whose)
  const row = await run({ delivers: !guessed, is_quiet })
  remembered.note(whose, row.quiet)
  return guessed && !row.quiet ? run({ delivers: true, is_quiet }) : row
}
