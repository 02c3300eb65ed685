import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { SiiCall, SiiCallQuery, SiiStatus } from './schema.ts'
import { listSiiCalls, readStatus } from './show.ts'

export const siiWeatherOperations = [
  defineOperation({
    id: 'sii.status',
    method: 'GET',
    path: '/sii/status',
    summary: 'How the services of the SII answer, as measured by us',
    description:
      'Latency, failures and the time from sent to settled, of the last hour, day and month, from the calls of all ' +
      'live empresas. At most a minute old. Needs no credential; the same is at /sii as a page.',
    reach: 'public',
    returns: SiiStatus,
    run: readStatus,
  }),
  defineOperation({
    id: 'sii.calls.list',
    method: 'GET',
    path: '/sii/calls',
    summary: 'Look at calls to the SII that failed',
    description:
      'For the operator alone: what went over the wire, cut and without secrets, of every call that failed and of one in ' +
      'five minutes that did not; kept for 31 days.',
    reach: 'installation',
    query: SiiCallQuery,
    returns: listOf(SiiCall),
    errors: ['invalid_cursor'],
    run: listSiiCalls,
  }),
]
