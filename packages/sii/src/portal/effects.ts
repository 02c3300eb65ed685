import { type FaultFacts, SiiFailure } from '../failure.ts'

/**
 * Steps that only look. Whatever fails there has changed nothing at the SII, so nothing has to be looked up before the
 * flow begins again.
 */
export async function looking<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (thrown) {
    throw thrown instanceof SiiFailure && thrown.sent ? restated(thrown, { sent: false }) : thrown
  }
}

/**
 * The step that the flow exists for, and those after it. From here on a lost session must not begin the flow again: the
 * SII may have done what was asked. Only a plain refusal says that it did not.
 */
export async function acting<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (thrown) {
    if (!(thrown instanceof SiiFailure) || (thrown.kind === 'refused' && !thrown.token_refused)) throw thrown
    throw restated(thrown, { sent: thrown.sent || thrown.token_refused, token_refused: false })
  }
}

/** The facts of a failure again, to say more about it. */
export function factsOf(failure: SiiFailure): FaultFacts {
  const { kind, retry, estado, glosa, reason, sent, token_refused } = failure
  return { kind, retry, estado, glosa, reason, drift: failure.drift ?? undefined, sent, token_refused }
}

function restated(failure: SiiFailure, change: Partial<FaultFacts>): SiiFailure {
  return new SiiFailure(failure, { ...factsOf(failure), ...change })
}
