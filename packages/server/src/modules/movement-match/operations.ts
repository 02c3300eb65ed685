import { defineOperation } from '../../kernel/operation.ts'
import { listOf } from '../../kernel/schema.ts'
import { listMovements, readMovement } from './list.ts'
import { matchMovement, unmatchMovement } from './match.ts'
import { MatchMovement, Movement, MovementPath, MovementQuery, MovementWithCandidates } from './schema.ts'

const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const writes = { method: 'POST', reach: 'empresa', scope: 'documents:write' } as const
const ONE = '/tax/movements/{movement_id}'

export const movementMatchOperations = [
  defineOperation({
    ...reads,
    id: 'tax.movements.list',
    path: '/tax/movements',
    summary: 'List the movements of bank accounts and cards',
    description:
      'From cartolas and bank connections, latest `post_date` first. What its bank took back is left out. Bounds are ' +
      'inclusive.',
    query: MovementQuery,
    returns: listOf(Movement),
    errors: ['invalid_cursor'],
    run: listMovements,
  }),
  defineOperation({
    ...reads,
    id: 'tax.movements.get',
    path: ONE,
    summary: 'Read a movement and what it may be for',
    params: MovementPath,
    returns: MovementWithCandidates,
    errors: ['movement_not_found'],
    run: readMovement,
  }),
  defineOperation({
    ...writes,
    id: 'tax.movements.match',
    path: `${ONE}/match`,
    summary: 'Match a movement to the document it paid',
    description:
      'A payment for several documents is matched to each of them, one call at a time; a document may be paid by ' +
      'several movements. Matching the same again changes nothing.',
    params: MovementPath,
    body: MatchMovement,
    returns: MovementWithCandidates,
    errors: ['movement_not_found', 'movement_not_matchable'],
    run: matchMovement,
  }),
  defineOperation({
    ...writes,
    id: 'tax.movements.unmatch',
    path: `${ONE}/unmatch`,
    summary: 'Take a movement and what it was matched to apart',
    description: 'It is remembered: they are not matched again unasked. One that is not matched is answered as it is.',
    params: MovementPath,
    returns: MovementWithCandidates,
    errors: ['movement_not_found'],
    run: unmatchMovement,
  }),
]
