import { setTimeout as sleep } from 'node:timers/promises'
import { between, type Chance } from './chance.ts'

/** A document that was asked for and acknowledged, and under which answer. */
export interface Acknowledged {
  readonly idempotency_key: string
  readonly empresa: string
  readonly tipo_dte: number
  readonly body: object
  readonly document_id: string
  readonly answer: string
  /** The first answer was lost: this one repeats it. */
  readonly replayed: boolean
  readonly bearer: string
  readonly sent_at: number
  readonly answered_at: number
}

/**
 * The most documents that one key was certainly granted within one second: only those whose request set out and came
 * back within it count, so that no delay on the way can accuse a limiter that was right.
 */
export function mostInASecond(ledger: readonly Acknowledged[]): number {
  const counts = ledger.map(({ bearer, sent_at }) => {
    const within = (one: Acknowledged) => one.sent_at >= sent_at && one.answered_at < sent_at + 1_000
    return ledger.filter((one) => one.bearer === bearer && within(one)).length
  })
  return Math.max(0, ...counts)
}

/** What posters are at: they go on until told to stop, and rest when they have made as many as they may for now. */
export interface Work {
  readonly ledger: Acknowledged[]
  /** How often a receiver was told that a document was sent or accepted. */
  told: number
  allowed: number
  stop: boolean
}

/** Fewer in the short form: each is signed, sent, followed and audited. */
const AT_A_TIME = process.env.FAULT_ROUNDS ? 60 : 25
const PATIENCE_MS = 20_000
const LOOK_MS = 5

/**
 * A random moment in the midst of work: some documents acknowledged from now, or some further on their way, and a
 * little later. A slow machine is struck while it works too. Where nothing gets done the moment comes by itself.
 */
export async function untilRandomMoment(chance: Chance, work: Work): Promise<void> {
  const done = chance() < 0.4 ? () => work.ledger.length : () => work.told
  const goal = done() + between(chance, 1, AT_A_TIME - 10)
  work.allowed = work.ledger.length + AT_A_TIME
  for (const until = performance.now() + PATIENCE_MS; done() < goal && performance.now() < until; ) await sleep(LOOK_MS)
  await sleep(between(chance, 0, 500))
}
