import { expect } from 'vitest'
import type { SiiFailure } from '../../src/index.ts'

/** What a question failed with; a question that succeeds fails the test. */
export const failureOf = (promise: Promise<unknown>): Promise<SiiFailure> =>
  promise.then(
    (value) => expect.unreachable(`it should have failed, and gave ${JSON.stringify(value)}`),
    (failure) => failure,
  )
