// A month of tax: the registers, expenses, the F29 and its filing.

import { CLIENT, lastMonth, SUPPLIER } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

export function scenesOfTax(film: Recorder, { key, rut }: Tenant) {
  const by = { key, empresa: rut }
  const period = lastMonth()
  const day = (number: string) => `${period}-${number}`

  async function readRegisters(): Promise<void> {
    const bought = (folio: number, net: number) => ({
      ...{ tipo_doc: 33, folio, counterparty_rut: SUPPLIER.rut, counterparty_name: SUPPLIER.legal_name },
      ...{ issue_date: day('10'), net, iva: net * 0.19 },
    })
    const sold = {
      ...{ tipo_doc: 33, folio: 310, counterparty_rut: CLIENT.rut, counterparty_name: CLIENT.legal_name },
      ...{ issue_date: day('12'), net: 1_000_000, iva: 190_000 },
    }
    const body = { period, purchases: [bought(7001, 300_000), bought(7002, 50_000)], sales: [sold] }
    await film.play('test_helpers.rcv.seed', { ...by, body })
    const job = await film.play('tax.sync', { ...by, body: { period } })
    await film.job(key, job.body.id)
    const query = { period }
    const { data } = (await film.play('tax.purchases.list', { ...by, query })).body
    await film.play('tax.purchases.export', { ...by, query })
    await film.play('tax.sales.list', { ...by, query })
    await film.play('tax.sales.export', { ...by, query })
    await film.play('tax.summary.get', { ...by, query })
    const [first, second] = data.map(({ id }: { id: string }) => ({ entry_id: id }))
    await film.play('tax.purchases.get', { ...by, params: first })
    await film.play('tax.purchases.characterize', { ...by, params: first, body: { tipo_compra: 4 } })
    await film.play('tax.purchases.revert', { ...by, params: first })
    await film.play('tax.purchases.characterize_many', { ...by, body: { entries: [{ ...second, tipo_compra: 2 }] } })
    await film.play('tax.purchases.estado_contable', { ...by, params: second, body: { estado_contable: 'PENDIENTE' } })
  }

  async function writeExpenses(): Promise<void> {
    const provider = { name: 'Amazon Web Services', country: 'US' }
    const body = { date: day('03'), description: 'Hosting de la tienda', provider, amount: 4_900, currency: 'USD' }
    const params = { expense_id: (await film.play('tax.expenses.create', { ...by, body })).body.id }
    await film.play('tax.expenses.get', { ...by, params })
    await film.play('tax.expenses.list', { ...by, query: { source: 'manual' } })
    await film.play('tax.expenses.update', { ...by, params, body: { category: 'Informática' } })
    await film.play('tax.expenses.delete', { ...by, params })
  }

  async function file(): Promise<void> {
    const params = { period }
    const overrides = [92, 93].map((code) => ({ code, amount: 0, reason: 'Condonado por el SII' }))
    await film.until('tax.f29.proposals.get', { ...by, params }, ({ stale }) => stale === false)
    await film.play('tax.f29.proposals.recompute', { ...by, params, body: { ppm_rate: 0.01, overrides } })
    await film.play('tax.f29.proposals.get', { ...by, params })
    await film.play('tax.f29.proposals.list', by)
    await film.play('tax.f29.proposals.entries', { ...by, params: { ...params, code: '520' } })
    await film.play('tax.f29.proposals.entries_export', { ...by, params: { ...params, code: '520' } })
    await film.play('tax.f29.proposals.upload_file', { ...by, params })
    await film.play('tax.f29.proposals.public_links.create', { ...by, params, body: {} })
    await film.play('tax.f29.proposals.public_links.delete', { ...by, params })
    await film.play('test_helpers.f29.proposals', { ...by, body: { period, codes: [{ code: 520, amount: 1 }] } })
    const errors = [{ code: 'E-091', message: 'El total no cuadra con los códigos declarados' }]
    await film.play('test_helpers.f29.validations', { ...by, body: { period, errors } })
    const filed = await film.play('tax.f29.filings.create', { ...by, body: { period } })
    const filing = { filing_id: filed.body.id }
    await film.until('tax.f29.filings.get', { ...by, params: filing }, ({ status }) => status === 'failed')
    const again = await film.play('tax.f29.filings.create', { ...by, body: { period } })
    const second = { filing_id: again.body.id }
    await film.until('tax.f29.filings.get', { ...by, params: second }, ({ status }) => status === 'accepted')
    await film.play('tax.f29.filings.get', { ...by, params: second })
    await film.play('tax.f29.filings.list', { ...by, query: { period } })
  }

  return { readRegisters, writeExpenses, file }
}
