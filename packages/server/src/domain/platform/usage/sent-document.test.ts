import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'

const address = { street: 'Av. Providencia 1234', comuna: 'Providencia', city: 'Santiago' }
const items = [{ description: 'Cuaderno', quantity: 1, unit_price: 1000 }]

let world: World
let key: string
let empresa: { id: string; rut: string }
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account())
  const body = { rut: randomRut(), legal_name: 'Librería Ñandú SpA', giro: 'Librería', acteco: [476101], address }
  empresa = (await world.post('/v1/empresas', { key, body })).body
})
afterAll(() => world.close())

async function issue(tipo_dte: number, receptor?: object): Promise<string> {
  const headers = { 'idempotency-key': randomRut() }
  const body = { tipo_dte, items, receptor }
  const sent = await world.post('/v1/documents', { key, empresa: empresa.rut, headers, body })
  expect(sent.status).toBe(201)
  return sent.body.id
}

const settled = async (id: string) =>
  expect
    .poll(async () => (await world.get(`/v1/documents/${id}`, { key, empresa: empresa.rut })).body.status)
    .toBe('accepted')

describe('a document that was sent', () => {
  it('is counted once, and its receptor is in the address book with source document', async () => {
    const receptor = { rut: randomRut(), legal_name: 'Acme SpA', giro: 'Restaurante', address }
    const [factura, boleta] = [await issue(33, receptor), await issue(39)]
    await Promise.all([settled(factura), settled(boleta)])
    const records = await world.get('/v1/usage/records', { key })
    const seen = records.body.data.map((row: { subject_id: string; tipo_dte: number }) => [
      row.tipo_dte,
      row.subject_id,
    ])
    expect(seen.sort()).toEqual([
      [33, factura],
      [39, boleta],
    ])
    expect((await world.get('/v1/usage', { key })).body.totals.document_issued).toBe(2)
    const book = await world.get(`/v1/empresas/${empresa.id}/counterparties`, { key })
    expect(book.body.data).toEqual([expect.objectContaining({ ...receptor, source: 'document' })])
  })
})
