import type { TObject } from 'typebox'

/**
 * An act that cannot be undone, or that goes on by itself when the agent is gone. An agent is first shown what would come of it and does it with a second call; `shows` is
 * what that consent is about: where it differs by then, nothing is done.
 */
export interface Irreversible<Out = unknown> {
  /** Which calls of a general update are such an act, and how the tool tells of them: `With …`. Default: every one. */
  readonly when?: {
    readonly told: string
    /** The operation that reads what the call is about, where the input alone does not tell. */
    readonly reads?: string
    /** By the input, and by what was read: null where nothing is, or the caller may not read it. */
    readonly holds: (input: Readonly<Record<string, unknown>>, subject: unknown) => boolean
  }
  /** One sentence for the person who is asked, in Chilean Spanish; `subject` is what `when` read. */
  readonly says: (answer: Out, input: Readonly<Record<string, unknown>>, subject: unknown) => string
  /** Of what the verb would answer, whatever is not made up anew each time: no ids, no times. */
  readonly shows: (answer: Out) => object
  /** The operation that reads what is acted upon: it is shown, and must not have changed. */
  readonly before?: string
  /** The operation that works out the same input without doing it. */
  readonly preview?: string
}

/** A name that a stranger chose, in quotes that it cannot close: what it says next would read as ours. */
export const quoted = (name: string) => `«${name.replace(/[«»]/g, '"')}»`

/** How an agent sees an operation: not at all, and why; or as a tool, and what only an agent needs beyond the table. */
export type Tooling<Out = unknown> =
  | { readonly not: string }
  | {
      readonly not?: never
      readonly description?: string
      readonly irreversible?: Irreversible<Out>
      /** Takes this instead of the operation's own input, and becomes one call for each item of `expand`, listed together. */
      readonly input?: TObject
      readonly expand?: (input: Readonly<Record<string, unknown>>) => readonly Record<string, unknown>[]
    }

/** Operations of these reaches answer nobody who could be an agent, so they are no tools. */
const NOT_FOR_AGENTS: Readonly<Record<string, string>> = {
  public: 'It needs no account: reference data are resources, and registering is for a person.',
  session: 'It is for the person who is logged in.',
  operator: 'It is for the operator of the service.',
  operator_account: 'It is for the operator of the service.',
  installation: 'It is for the operator of the service.',
}

export function toolingOf(reach: string, mcp: Tooling | undefined): Tooling {
  const not = NOT_FOR_AGENTS[reach]
  return mcp ?? (not === undefined ? {} : { not })
}
