// What commits an empresa to an amount is held to the caps of the grant, by every road to it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GrantOptions, grantTo, useTool } from '../../test/support/agent-grant.ts'
import { type Given, roadsTo } from '../../test/support/agent-roads.ts'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../test/support/issuer.ts'
import { insertOneOfEach } from '../../test/support/one-of-each.ts'
import { accepted } from '../../test/support/settle-document.ts'
import { openWorld, randomRut, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { isAct } from '../domain/platform/agent-grant/acts.ts'
import { OPERATIONS } from '../operations.ts'
import { openToolbox } from './toolbox.ts'

const { tools } = openToolbox(OPERATIONS)

let world: World
let issuer: Issuer
let factura: string
let guia: string
const buyer = randomRut()
let ids: Record<string, string>

beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
  factura = (await accepted(world, issuer, FACTURA)).id
  guia = (await accepted(world, issuer, { tipo_dte: 52, receptor: RECEPTOR, items: ITEMS })).id
  ids = await insertOneOfEach(world, { account: issuer.account, key: await world.key(issuer.account), rut: buyer })
})
afterAll(() => world.close())

const CESIONARIO = {
  rut: '78901234-2',
  legal_name: 'Factoring Ñuble S.A.',
  address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
  email: 'operaciones@factoring.cl',
}

interface Spending {
  readonly args: () => Given
  /** The same for the tasks that end in it. */
  readonly task?: () => Given
}

const ours = () => ({ empresa: issuer.rut })
const theirs = () => ({ empresa: buyer })

const SPENDING: Readonly<Record<string, Spending>> = {
  'documents.create': { args: () => ({ ...ours(), ...BOLETA }), task: () => ({ ...ours(), ...BOLETA }) },
  'documents.credit_note': {
    args: () => ({ ...ours(), document_id: factura }),
    task: () => ({ ...ours(), document: factura, how: 'annul' }),
  },
  'documents.invoice_guias': { args: () => ({ ...ours(), guia_ids: [guia] }) },
  'documents.cede': { args: () => ({ ...ours(), document_id: factura, cesionario: CESIONARIO }) },
  'documents.payments.create': {
    args: () => ({ ...ours(), document_id: factura, amount: 100 }),
    task: () => ({ ...ours(), document: factura, amount: 100 }),
  },
  'received_documents.payments.create': {
    args: () => ({ ...theirs(), received_document_id: ids.received_document_id, amount: 100 }),
    task: () => ({ ...theirs(), document: ids.received_document_id, amount: 100 }),
  },
  'tax.suggestions.confirm': { args: () => ({ ...theirs(), suggestion_id: ids.suggestion_id }) },
}

/** Acts that answer a document or a payment, and commit the empresa to nothing new. */
const SPENDS_NOTHING = ['documents.retry', 'test_helpers.documents.estado', 'test_helpers.documents.receptor_response']

it('every act that answers a document or a payment is held to the caps, or said to spend nothing', () => {
  const made = [...tools.values()].filter(({ operation }) => {
    const { properties = {} } = (operation.returns ?? {}) as { properties?: Record<string, { const?: unknown }> }
    return isAct(operation) && ['document', 'payment'].includes(String(properties.object?.const))
  })
  expect(made.length).toBeGreaterThan(5)
  const told = [...Object.keys(SPENDING), ...SPENDS_NOTHING]
  expect(made.map(({ operation }) => operation.id).filter((id) => !told.includes(id))).toEqual([])
})

describe.each(Object.entries(SPENDING))('%s beyond the caps', (id, { args, task }) => {
  const tool = tools.get(id)
  if (!tool) throw new Error(`${id} is no tool`)

  it.each([
    ['the cap of one document, at the first of two steps', { max_clp_per_document: 1 }, {}],
    ['the cap of one document, in one step', { max_clp_per_document: 1, two_steps: false }, { idempotency_key: 'uno' }],
    ['the cap of the day, in one step', { max_clp_per_day: 1, two_steps: false }, { idempotency_key: 'dia' }],
  ] as [string, GrantOptions, Given][])('403 agent_limit_exceeded by every road: %s', async (_what, caps, said) => {
    const grant = await grantTo(world, issuer.account, { scopes: SCOPE_NAMES, ...caps })
    for (const road of roadsTo(tool, args(), () => task?.() ?? {})) {
      const { structuredContent } = await useTool(world, grant.token, road.tool, road.args(said))
      expect([road.name, structuredContent.error?.code]).toEqual([road.name, 'agent_limit_exceeded'])
    }
    const [spent] = await world.db.sql<{ many: number }>`
      select count(*)::int as many from agent_act where grant_id = ${grant.id} and outcome = 'done'`
    expect(spent?.many).toBe(0)
  })
})
