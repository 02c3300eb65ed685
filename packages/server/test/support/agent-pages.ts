// The pages where a person looks after their agents, as each looks.

import type { AgentActRow } from '../../src/domain/platform/agent-grant/acts-store.ts'
import type { AgentGrant } from '../../src/domain/platform/agent-grant/schema.ts'
import { ownAgentPage } from '../../src/pages/agent-grant.ts'
import { agentsLoginPage, agentsPage, endAgentPage } from '../../src/pages/agents.ts'

const DONE: AgentActRow = {
  id: 'act_1',
  empresa_rut: '76192083-9',
  operation: 'documents.create',
  outcome: 'done',
  code: null,
  exceeded: null,
  subject: 'doc_1',
  amount: 11_900,
  times: 1,
  created_at: new Date('2026-11-16T14:05:00Z'),
}
const REFUSED: AgentActRow = {
  ...DONE,
  id: 'act_2',
  outcome: 'refused',
  code: 'agent_limit_exceeded',
  exceeded: 'max_clp_per_document',
  subject: null,
  amount: 9_000_000,
  times: 3,
}
const SENT: AgentActRow = { ...DONE, id: 'act_3', operation: 'documents.send', amount: null }

export function agentPages(grant: AgentGrant) {
  const names = { [grant.mode]: new Map([['76192083-9', 'Panadería Ñandú Ltda']]) }
  const acts = {
    acts: [REFUSED, SENT, DONE],
    next: 'act_3',
    names: new Map([['doc_1', { name: 'Factura electrónica N° 12', total: 11_900 }]]),
  }
  const own = { grant, acts, names, ended: false }
  const ended = { ...grant, id: 'agr_2', status: 'revoked' } as const
  const lists = (data: readonly AgentGrant[]) => [
    { mode: 'live' as const, data: [], next_cursor: null },
    { mode: 'test' as const, data, next_cursor: 'cur_x' },
  ]
  const list = { email: 'rosa@pasteleria.cl', names, all: false }
  return [
    ['agentsLoginPage', agentsLoginPage(null)],
    ['agentsLoginPage', agentsLoginPage('agr_x', { text: 'Tu sesión terminó.', status: 401 }), 'ended'],
    ['agentsPage', agentsPage({ ...list, lists: lists([grant, ended]) })],
    ['endAgentPage', endAgentPage(grant)],
    ['ownAgentPage', ownAgentPage(own)],
    [
      'ownAgentPage',
      ownAgentPage({ ...own, grant: ended, ended: true, acts: { ...acts, acts: [], next: null } }),
      'ended',
    ],
  ] as const
}
