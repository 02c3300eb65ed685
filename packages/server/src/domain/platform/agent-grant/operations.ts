import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { listAgentGrants, readAgentGrant } from './read.ts'
import { revokeAgentGrant } from './revoke.ts'
import { AgentGrant, GrantPath, GrantQuery } from './schema.ts'

const owners = {
  reach: 'account',
  scope: 'keys:write',
  root_only: true,
  mcp: { not: 'What agents may do is decided by a person, never by an agent.' },
} as const

export const agentGrantOperations = [
  defineOperation({
    id: 'agent_grants.list',
    method: 'GET',
    path: '/agent_grants',
    summary: 'List what agents were granted',
    description: 'Every grant of the mode, also those that ended. Needs a root key or an account session.',
    ...owners,
    query: GrantQuery,
    returns: listOf(AgentGrant),
    errors: ['invalid_cursor', 'root_key_required'],
    run: listAgentGrants,
  }),
  defineOperation({
    id: 'agent_grants.get',
    method: 'GET',
    path: '/agent_grants/{grant_id}',
    summary: 'Read what an agent was granted',
    description:
      'Who asked, what was allowed within which limits, how much of today’s was used, and what the agent made.',
    ...owners,
    params: GrantPath,
    returns: AgentGrant,
    errors: ['agent_grant_not_found', 'root_key_required'],
    run: readAgentGrant,
  }),
  defineOperation({
    id: 'agent_grants.revoke',
    method: 'DELETE',
    path: '/agent_grants/{grant_id}',
    summary: 'Cut an agent off',
    description:
      'Immediate and irreversible, with every token it holds and what it made: webhook endpoints stop, public links no ' +
      'longer open. The person can authorize the agent anew.',
    ...owners,
    params: GrantPath,
    returns: null,
    errors: ['agent_grant_not_found', 'root_key_required', 'privilege_escalation'],
    audited: true,
    leaves: { object: 'agent_grant', named: async (ctx, input) => (await readAgentGrant(ctx, input)).client.name },
    run: revokeAgentGrant,
  }),
]
