import { defineOperation } from '../../operation.ts'
import { ClockQuery, SetClock, TestClock } from './schema.ts'
import { getClock, setClock, waitForClock } from './set-clock.ts'

export const testHelperOperations = [
  defineOperation({
    id: 'test_helpers.clock.set',
    method: 'POST',
    path: '/test_helpers/clock',
    summary: 'Move the test clock',
    description:
      'Send one of `frozen_time` (go there and stand still), `advance` (move on by a duration) or `reset` (return to ' +
      'real time). Forward only, at most 13 months a call. Every timer that falls due on the way fires, in order, ' +
      'before the answer says `ready`; an answer that still says `advancing` is finished later: read the clock again. ' +
      '`reset` brings what is under way to its end first; other timers keep their distance, and dates stay as they are. ' +
      'Without `empresa_rut` it is the clock of the account, which takes a credential of all its empresas.',
    reach: 'account',
    scope: 'empresas:write',
    test_only: true,
    body: SetClock,
    returns: TestClock,
    errors: ['test_clock_conflict', 'test_clock_backwards', 'empresa_not_found', 'empresa_not_allowed'],
    lasting: false,
    afterCommit: waitForClock,
    audited: true,
    run: setClock,
  }),
  defineOperation({
    id: 'test_helpers.clock.get',
    method: 'GET',
    path: '/test_helpers/clock',
    summary: 'Read the test clock',
    reach: 'account',
    scope: 'empresas:read',
    test_only: true,
    query: ClockQuery,
    returns: TestClock,
    errors: ['empresa_not_found', 'empresa_not_allowed'],
    run: getClock,
  }),
]
