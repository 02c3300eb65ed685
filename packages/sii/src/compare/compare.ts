import { openSiiClient, type SiiClientOptions } from '../client.ts'
import { SiiFailure } from '../failure.ts'
import { memorySessions } from '../portal/session-store.ts'
import { memoryTokens } from '../tokens.ts'
import type { SiiAnswer } from '../wire.ts'
import { type ShapeDifference, shapeDifferences } from './differences.ts'
import { type DoorQuestion, HARMLESS_DOORS } from './doors.ts'
import { type RedactedSample, redactedSample } from './sample.ts'
import { type Shape, shapeOf } from './shape.ts'

/** One end to compare: the SII, or what plays it. */
export interface ComparedSide
  extends DoorQuestion,
    Pick<SiiClientOptions, 'hosts' | 'ca' | 'legacy_renegotiation' | 'sleep' | 'limits'> {}

/** What a door answered: by operation, and what our reader made of it, in one word. */
export interface SeenDoor {
  readonly door: string
  readonly outcome: string
  readonly answers: ReadonlyMap<string, { readonly shape: Shape; readonly sample: RedactedSample }>
}

export interface Difference extends ShapeDifference {
  readonly door: string
  /** The SII's name for the question; null for what is said of the door as a whole. */
  readonly operation: string | null
}

/** Asks at every harmless door, one after another, and logs out at the end. Keeps shapes and no content. */
export async function walkDoors(side: ComparedSide): Promise<readonly SeenDoor[]> {
  const heard = new Map<string, SiiAnswer>()
  let login_failed = false
  const client = openSiiClient({
    ...side,
    tokens: memoryTokens(),
    sessions: memorySessions(),
    onCall: ({ operation, outcome }) => {
      if (operation === 'login_certificate') login_failed = outcome !== 'ok'
    },
    // Of several answers to one question the last one counts: how often it had to be asked is weather.
    onAnswer: ({ operation }, answer) => heard.set(operation, answer),
  })
  const seen: SeenDoor[] = []
  try {
    for (const { name, session, ask } of HARMLESS_DOORS) {
      heard.clear()
      // A log-in that was refused is not tried again at the next door: they are counted.
      const outcome = session && login_failed ? 'not asked' : await outcomeOf(ask(client, side))
      const answers = [...heard].map(
        ([operation, answer]) => [operation, { shape: shapeOf(answer), sample: redactedSample(answer) }] as const,
      )
      seen.push({ door: name, outcome, answers: new Map(answers) })
    }
  } finally {
    await client.close()
  }
  return seen
}

async function outcomeOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
    return 'understood'
  } catch (failure) {
    if (!(failure instanceof SiiFailure)) throw failure
    return failure.drift === null ? failure.kind : `${failure.kind}: ${failure.drift}`
  }
}

/** Everything in which two walks do not look alike. */
export function compareWalks(left: readonly SeenDoor[], right: readonly SeenDoor[]): readonly Difference[] {
  return left.flatMap((mine) => {
    const theirs = right.find(({ door }) => door === mine.door)
    if (theirs === undefined) return []
    const { door } = mine
    const operations = new Set([...mine.answers.keys(), ...theirs.answers.keys()])
    const outcome =
      mine.outcome === theirs.outcome
        ? []
        : [{ door, operation: null, path: 'our reader', left: mine.outcome, right: theirs.outcome }]
    return [
      ...outcome,
      ...[...operations].flatMap((operation) => {
        const [a, b] = [mine.answers.get(operation), theirs.answers.get(operation)]
        const found = a && b ? shapeDifferences(a.shape, b.shape) : [{ path: '/', left: said(a), right: said(b) }]
        return found.map((one) => ({ door, operation, ...one }))
      }),
    ]
  })
}

const said = (answer: unknown): string => (answer === undefined ? 'no answer' : 'an answer')
