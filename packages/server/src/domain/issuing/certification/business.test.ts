import type { DteDraft } from '@timbre/dte/draft'
import { priceDraft } from '@timbre/dte/draft'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleDraft } from '../../../../test/support/signed-document.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { businessOf } from './business.ts'

let world: World
let account_id: string
beforeAll(async () => {
  world = await openWorld()
  account_id = await world.account()
})
afterAll(() => world.close())

async function empresaIn(mode: 'test' | 'live'): Promise<EmpresaScope> {
  const [empresa_id, rut] = [newId('empresa'), randomRut()]
  await world.db.sql`
    insert into empresa (account_id, id, mode, rut, legal_name, emission_channel, doc_types, origen, emitting_since,
      created_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${rut}, 'Prueba SpA', 'mercado', ${[33]}, 'ninguno', now(), now())`
  return { account_id, empresa_id, rut, mode }
}

let minutes = 0
async function issued(scope: EmpresaScope, change: Partial<DteDraft> = {}, status = 'accepted'): Promise<DteDraft> {
  const draft = { ...sampleDraft(), ...change }
  const { net = 0, iva = 0, exempt = 0, total } = priceDraft(draft).totals
  const created_at = new Date(Date.UTC(2026, 9, 5, 12, minutes++))
  await world.db.sql`
    insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
      receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
    values (${account_id}, ${scope.empresa_id}, ${scope.mode}, ${newId('document')}, ${status}, ${draft.tipo_dte},
      ${minutes}, ${draft.issue_date}, ${net}, ${iva}, ${exempt}, ${total}, ${draft.receptor.rut},
      ${JSON.stringify(draft)}, '{}', '{}', false, ${created_at})`
  return draft
}

const item = (description: string, more: object = {}) => ({ description, quantity: 3, unit_price: 1000, ...more })
const namesIn = async (scope: EmpresaScope) =>
  (await businessOf(world.db.sql, scope)).documents.map(({ items }) => items.map(({ description }) => description))

it('reads what the empresa issued and the SII took, newest first, and nothing of another empresa', async () => {
  const scope = await empresaIn('live')
  await issued(scope, { items: [item('primero')] })
  await issued(scope, { items: [item('segundo')] }, 'reparo')
  await issued(scope, { items: [item('rechazado')] }, 'rejected')
  await issued(scope, { tipo_dte: 61, items: [item('devuelto')] })
  await issued(await empresaIn('live'), { items: [item('ajeno')] })
  expect(await namesIn(scope)).toEqual([['segundo'], ['primero']])
})

it('reads nothing of the sandbox: what is issued there is invented', async () => {
  const scope = await empresaIn('test')
  await issued(scope)
  const products = [{ description: 'Asesoría', unit_price: 50_000 }]
  expect(await businessOf(world.db.sql, scope, products)).toEqual({ documents: [], counterparties: [], products })
})

it('keeps what is sold and to whom, and not how they are reached', async () => {
  const scope = await empresaIn('live')
  const { receptor } = sampleDraft()
  await issued(scope, {
    receptor: { ...receptor, email: 'ana@ejemplo.cl', contact: 'Ana' },
    items: [item('vendido', { unit: 'kg', discount: { percent: 10 } }), item('envase', { billing: 'non_billable' })],
  })
  const { rut, legal_name, giro, address } = receptor
  expect((await businessOf(world.db.sql, scope)).documents).toEqual([
    {
      tipo_dte: 33,
      receptor: { rut, legal_name, giro, address },
      items: [{ description: 'vendido', quantity: 3, unit: 'kg', unit_price: 1000 }],
    },
  ])
})

it('knows of each tipo, however many of another came later', async () => {
  const scope = await empresaIn('live')
  await issued(scope, { tipo_dte: 34, items: [item('clase')] })
  for (let count = 0; count < 52; count++) await issued(scope, { tipo_dte: 39, receptor: { rut: '66666666-6' } })
  const tipos = (await businessOf(world.db.sql, scope)).documents.map(({ tipo_dte }) => tipo_dte)
  expect([tipos.length, tipos.at(-1)]).toEqual([51, 34])
})

it('takes from the address book whom a document can name whole', async () => {
  const scope = await empresaIn('live')
  const add = (rut: string, giro: string | null) => world.db.sql`
    insert into counterparty (account_id, empresa_id, mode, rut, legal_name, giro, street, comuna, created_at, updated_at)
    values (${account_id}, ${scope.empresa_id}, 'live', ${rut}, 'Cliente Ltda.', ${giro}, 'Calle 1', 'Maipú', now(), now())`
  await add('77123456-9', 'Comercio')
  await add('78901234-2', null)
  await add('55555555-5', 'Comercio')
  expect((await businessOf(world.db.sql, scope)).counterparties).toEqual([
    {
      rut: '77123456-9',
      legal_name: 'Cliente Ltda.',
      giro: 'Comercio',
      address: { street: 'Calle 1', comuna: 'Maipú' },
    },
  ])
})
