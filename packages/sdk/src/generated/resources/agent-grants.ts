// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { AgentGrant, AgentGrantListQuery } from '../types.ts'

export interface AgentGrantsResource {
  /**
   * List what agents were granted.
   *
   * Every grant of the mode, also those that ended. Needs a root key or an account session.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/agent_grants#agent_grants.list
   */
  list(input?: AgentGrantListQuery, options?: CallOptions): PageCall<List<AgentGrant>>
  /**
   * Read what an agent was granted.
   *
   * Who asked, what was allowed within which limits, how much of today’s was used, and what the agent made.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/agent_grants#agent_grants.get
   */
  get(grant_id: string, options?: CallOptions): Promise<AgentGrant>
  /**
   * Cut an agent off.
   *
   * Immediate and irreversible, with every token it holds and what it made: webhook endpoints stop, public links no longer open. The person can authorize the agent anew.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/agent_grants#agent_grants.revoke
   */
  revoke(grant_id: string, options?: CallOptions): Promise<void>
}

export const agentGrants: ResourceOf<AgentGrantsResource> = /* @__PURE__ */ resource<AgentGrantsResource>({
  list: 'GET /agent_grants ql',
  get: 'GET /agent_grants/{grant_id} ',
  revoke: 'DELETE /agent_grants/{grant_id} ',
})
