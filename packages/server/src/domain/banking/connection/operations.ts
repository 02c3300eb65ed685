import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { deletesConnection, opensConnection } from './agent-copy.ts'
import { beginConnection, createConnection } from './create.ts'
import { deleteConnection } from './delete.ts'
import { exchangeToken, prepareExchange } from './link.ts'
import { listConnections, nameOfConnection, readConnection } from './read.ts'
import { beginReconnect, reconnect } from './reconnect.ts'
import { requestSync } from './request-sync.ts'
import {
  Connection,
  ConnectionPath,
  ConnectionQuery,
  ConnectionWithLink,
  CreateConnection,
  ExchangeToken,
} from './schema.ts'

const reads = { reach: 'empresa', scope: 'documents:read', method: 'GET' } as const
const writes = { reach: 'empresa', scope: 'documents:write', method: 'POST' } as const
const ONE = '/connections/{connection_id}'

export const connectionOperations = [
  defineOperation({
    ...reads,
    id: 'connections.list',
    path: '/connections',
    summary: 'List bank connections',
    description: 'Newest first. What was deleted is left out.',
    query: ConnectionQuery,
    returns: listOf(Connection),
    errors: ['invalid_cursor'],
    run: listConnections,
  }),
  defineOperation({
    ...writes,
    id: 'connections.create',
    path: '/connections',
    summary: 'Connect a bank',
    description:
      'A person has to link the bank: send them to `link.url`, or run the widget of the provider on a page of yours and ' +
      'send what it gives to POST /connections/{connection_id}/exchange. `link` is in this answer and nowhere else.',
    body: CreateConnection,
    returns: ConnectionWithLink,
    status: 201,
    errors: ['bank_unreachable'],
    mcp: { irreversible: opensConnection },
    audited: true,
    prepare: beginConnection,
    leaves: { object: 'connection', named: (_ctx, _input, made) => nameOfConnection(made) },
    run: createConnection,
  }),
  defineOperation({
    ...reads,
    id: 'connections.get',
    path: ONE,
    summary: 'Read a bank connection',
    params: ConnectionPath,
    returns: Connection,
    errors: ['connection_not_found'],
    run: readConnection,
  }),
  defineOperation({
    ...writes,
    id: 'connections.delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a bank connection',
    description: 'The bank is read no more and the provider forgets the link. Movements that were read stay.',
    params: ConnectionPath,
    returns: null,
    errors: ['connection_not_found'],
    allows_inactive: true,
    mcp: { irreversible: deletesConnection },
    audited: true,
    leaves: { object: 'connection', named: async (ctx, input) => nameOfConnection(await readConnection(ctx, input)) },
    run: deleteConnection,
  }),
  defineOperation({
    ...writes,
    id: 'connections.exchange',
    path: `${ONE}/exchange`,
    summary: 'Hand over what the widget gave',
    description: 'Not needed where the person used `link.url`. The movements of the last 90 days are read at once.',
    params: ConnectionPath,
    body: ExchangeToken,
    returns: Connection,
    errors: ['connection_not_found', 'connection_status_conflict', 'exchange_token_refused', 'bank_unreachable'],
    // What the widget gives is good once, and the bank would be linked by the first of two steps.
    mcp: {
      not: 'The widget of the provider runs on a page, which hands over what it gives: `link.url` is such a page.',
    },
    audited: true,
    lasting: true,
    prepare: prepareExchange,
    leaves: { object: 'connection', act: 'changed', named: (_ctx, _input, linked) => nameOfConnection(linked) },
    run: exchangeToken,
  }),
  defineOperation({
    ...writes,
    id: 'connections.reconnect',
    path: `${ONE}/reconnect`,
    summary: 'Link a bank again',
    description: 'For one that is `needs_reconnect`, or whose `link` expired before it was used. The old `link` ends.',
    params: ConnectionPath,
    returns: ConnectionWithLink,
    errors: ['connection_not_found', 'connection_status_conflict', 'bank_unreachable'],
    mcp: { irreversible: opensConnection },
    audited: true,
    prepare: beginReconnect,
    leaves: { object: 'connection', act: 'changed', named: (_ctx, _input, made) => nameOfConnection(made) },
    run: reconnect,
  }),
  defineOperation({
    ...writes,
    id: 'connections.sync',
    path: `${ONE}/sync`,
    summary: 'Read a bank now',
    description:
      'Beside the reading of every day. While one is queued or running that job is the answer; otherwise a bank is asked ' +
      'anew every five minutes at most (429 with Retry-After). `result` holds `imported`, `duplicates`, `changed` and ' +
      '`removed`.',
    params: ConnectionPath,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    errors: ['connection_not_found', 'connection_status_conflict'],
    run: requestSync,
  }),
]
