import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { mergeMovement, unmergeMovement } from './duplicate/merge-movement.ts'
import { matchMovement, unmatchMovement } from './match/match-movement.ts'
import { listMovements, readMovement } from './read.ts'
import {
  MatchMovement,
  MergeMovement,
  Movement,
  MovementPath,
  MovementQuery,
  MovementWithCandidates,
} from './schema.ts'

const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const writes = { method: 'POST', reach: 'empresa', scope: 'documents:write' } as const
const ONE = '/tax/movements/{movement_id}'

export const movementOperations = [
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
  defineOperation({
    ...writes,
    id: 'tax.movements.merge',
    path: `${ONE}/merge`,
    summary: 'Say that a movement tells the same as another one',
    description:
      'For what a cartola and a bank connection of one account both tell, where we could not be certain (`duplicate`). ' +
      'This one is left out of lists and expenses; the other one stays. Saying it again changes nothing.',
    params: MovementPath,
    body: MergeMovement,
    returns: MovementWithCandidates,
    errors: ['movement_not_found', 'movement_not_mergeable'],
    run: mergeMovement,
  }),
  defineOperation({
    ...writes,
    id: 'tax.movements.unmerge',
    path: `${ONE}/unmerge`,
    summary: 'Say that a movement is no duplicate',
    description:
      'It counts again, and it is remembered: it is not taken for the other one unasked. One that is no duplicate is ' +
      'answered as it is.',
    params: MovementPath,
    returns: MovementWithCandidates,
    errors: ['movement_not_found'],
    run: unmergeMovement,
  }),
]
