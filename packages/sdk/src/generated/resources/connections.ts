// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { Connection, ConnectionCreate, ConnectionExchange, ConnectionListQuery, ConnectionWithLink, Job } from '../types.ts'

export interface ConnectionsResource {
  /**
   * List bank connections.
   *
   * Newest first. What was deleted is left out.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.list
   */
  list(input?: ConnectionListQuery, options?: CallOptions): PageCall<List<Connection>>
  /**
   * Connect a bank.
   *
   * A person has to link the bank: send them to `link.url`, or run the widget of the provider on a page of yours and send what it gives to POST /connections/{connection_id}/exchange. `link` is in this answer and nowhere else.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.create
   */
  create(input?: ConnectionCreate, options?: CallOptions): Promise<ConnectionWithLink>
  /**
   * Read a bank connection.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.get
   */
  get(connection_id: string, options?: CallOptions): Promise<Connection>
  /**
   * Delete a bank connection.
   *
   * The bank is read no more and the provider forgets the link. Movements that were read stay.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.delete
   */
  delete(connection_id: string, options?: CallOptions): Promise<void>
  /**
   * Hand over what the widget gave.
   *
   * Not needed where the person used `link.url`. The movements of the last 90 days are read at once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.exchange
   */
  exchange(connection_id: string, input: ConnectionExchange, options?: CallOptions): Promise<Connection>
  /**
   * Link a bank again.
   *
   * For one that is `needs_reconnect`, or whose `link` expired before it was used. The old `link` ends.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.reconnect
   */
  reconnect(connection_id: string, options?: CallOptions): Promise<ConnectionWithLink>
  /**
   * Read a bank now.
   *
   * Beside the reading of every day. While one is queued or running that job is the answer; otherwise a bank is asked anew every five minutes at most (429 with Retry-After). `result` holds `imported`, `duplicates`, `changed` and `removed`.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/connections#connections.sync
   */
  sync(connection_id: string, options?: CallOptions): Promise<Job>
}

export const connections: ResourceOf<ConnectionsResource> = /* @__PURE__ */ resource<ConnectionsResource>({
  list: 'GET /connections eql',
  create: 'POST /connections ekb',
  get: 'GET /connections/{connection_id} e',
  delete: 'DELETE /connections/{connection_id} e',
  exchange: 'POST /connections/{connection_id}/exchange ekb',
  reconnect: 'POST /connections/{connection_id}/reconnect ek',
  sync: 'POST /connections/{connection_id}/sync ek',
})
