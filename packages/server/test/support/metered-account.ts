// An account whose usage is metered, and what it used.

import type { Mode } from '../../src/catalog/modes.ts'
import { recordUsage, type Usage } from '../../src/domain/platform/usage/record.ts'
import { newId } from '../../src/kernel/id.ts'
import { emptyEmpresa } from './insert-empresa.ts'
import type { World } from './world.ts'

export interface Own {
  readonly id: string
  readonly rut: string
}

export const NOVEMBER = new Date('2025-11-15T15:00:00Z')
export const NONE = {
  document_issued: 0,
  document_emailed: 0,
  document_ceded: 0,
  document_received: 0,
  folios_requested: 0,
}

/** An account with two sandbox empresas, and what it takes to let them use something and to read of it. */
export async function openUsage(world: World) {
  const account = await world.account()
  const key = await world.key(account)
  const [one, two] = [await emptyEmpresa(world, account), await emptyEmpresa(world, account)]
  const used = ({ id, rut }: Own, facts: Partial<Usage> = {}, mode: Mode = 'test'): Usage => ({
    empresa: { account_id: account, mode, empresa_id: id, rut },
    kind: 'document_issued',
    tipo_dte: 33,
    quantity: 1,
    subject_id: newId('document'),
    at: NOVEMBER,
    ...facts,
  })
  const get = (path: string, query: Record<string, string> = {}, with_key = key) =>
    world.get(`/v1${path}?${new URLSearchParams(query)}`, { key: with_key })
  return {
    account,
    key,
    one,
    two,
    used,
    get,
    record: (...rows: Usage[]) => world.db.transact((sql) => recordUsage(sql, rows)),
    summary: async (query: Record<string, string> = {}, with_key = key) =>
      (await get('/usage', { period: '2025-11', ...query }, with_key)).body,
    /** What was used, in the order of the list. */
    subjects: async (query: Record<string, string> = {}, with_key = key) =>
      (await get('/usage/records', query, with_key)).body.data.map(
        ({ subject_id }: { subject_id: string }) => subject_id,
      ) as string[],
  }
}
