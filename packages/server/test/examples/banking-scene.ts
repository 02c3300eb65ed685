// A bank that is linked, a cartola that is uploaded, and what becomes of their movements.

import { reviewed } from '../support/bank-movements.ts'
import { plainCartola } from '../support/cartola-file.ts'
import { lastMonth } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

export function scenesOfBanking(film: Recorder, { key, rut, empresa_id }: Tenant) {
  const by = { key, empresa: rut }
  const [year, month] = lastMonth().split('-')
  const row = (day: string, words: string, out: string, into = '') => `${day}/${month}/${year};${words};${out};${into}`

  async function connect(): Promise<void> {
    const made = await film.play('connections.create', {
      ...by,
      body: { holder_type: 'business', name: 'Cuenta corriente' },
    })
    const params = { connection_id: made.body.id }
    // This bank asks for the person again at its second reading.
    await film.play('connections.exchange', { ...by, params, body: { exchange_token: 'sandbox_banco_cauteloso' } })
    await film.until('connections.get', { ...by, params }, ({ last_synced_at }) => last_synced_at !== null)
    await film.play('connections.get', { ...by, params })
    await film.play('connections.list', by)
    await film.play('connections.sync', { ...by, params })
    await film.until('connections.get', { ...by, params }, ({ status }) => status === 'needs_reconnect')
    await film.play('connections.reconnect', { ...by, params })
    await film.play('connections.delete', { ...by, params })
  }

  async function upload(): Promise<void> {
    const rows = [
      row('03', 'PAGO LUZ', '45.000'),
      row('04', 'PAGO LUZ ENEL', '45.000'),
      row('05', 'GOOGLE *ADS', '50.000'),
      row('06', 'META PLATFORMS', '30.000'),
    ]
    const body = { file: plainCartola(...rows).toString('base64'), filename: 'cartola.csv', bank_account: '001-77' }
    await film.play('tax.statements.preview', { ...by, body })
    const job = await film.play('tax.statements.create', { ...by, body })
    const { statement_id } = (await film.job(key, job.body.id)).result
    await reviewed(film.world, { empresa_id })
    await film.play('tax.statements.get', { ...by, params: { statement_id } })
    await film.play('tax.statements.list', { ...by, query: { status: 'imported' } })
  }

  async function match(received_document_id: string): Promise<void> {
    const listed = await film.play('tax.movements.list', { ...by, query: { source: 'statement', limit: '4' } })
    const lines: { id: string; amount: number }[] = listed.body.data
    const [light, twin] = lines.filter(({ amount }) => amount === -45_000)
    const params = { movement_id: light?.id ?? '' }
    await film.play('tax.movements.match', { ...by, params, body: { received_document_id } })
    await film.play('tax.movements.get', { ...by, params })
    await film.play('tax.movements.unmatch', { ...by, params })
    await film.play('tax.movements.merge', { ...by, params, body: { into: twin?.id ?? '' } })
    await film.play('tax.movements.unmerge', { ...by, params })
  }

  async function suggest(): Promise<void> {
    const listed = await film.play('tax.suggestions.list', { ...by, query: { status: 'open' } })
    const [first = '', second = ''] = (listed.body.data as { id: string }[]).map(({ id }) => id)
    await film.play('tax.suggestions.get', { ...by, params: { suggestion_id: first } })
    await film.play('tax.suggestions.confirm', { ...by, params: { suggestion_id: first }, body: {} })
    const reason = 'Ya está declarada'
    await film.play('tax.suggestions.dismiss', { ...by, params: { suggestion_id: second }, body: { reason } })
  }

  /** A cartola of the wrong month is taken back. */
  async function undo(): Promise<void> {
    const body = { file: plainCartola(row('20', 'PAGO AGUA', '21.000')).toString('base64') }
    const job = await film.play('tax.statements.create', { ...by, body })
    const { statement_id } = (await film.job(key, job.body.id)).result
    await reviewed(film.world, { empresa_id })
    await film.play('tax.statements.delete', { ...by, params: { statement_id } })
  }

  return { connect, upload, match, suggest, undo }
}
