import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type NewEvidence, recordEvidence } from './record.ts'

const EVIL = { rut: '11111111-1', name: '=HYPERLINK("http://x")', role: 'titular_cuenta' } as const
const BARE: NewEvidence = {
  step: 'mandato',
  act: 'link_minted',
  actor: null,
  ip: null,
  user_agent: null,
  document: null,
  via: 'api',
}
const FULL: NewEvidence = {
  step: 'muestras_impresas',
  act: 'muestras_revision',
  actor: EVIL,
  ip: '10.0.0.7',
  user_agent: `Navegador Ñ ${'x'.repeat(600)}`,
  document: { version: 'set-1', sha256: 'ab'.repeat(32) },
  via: 'hosted_page',
}

let world: World
let key: string
let scope: EmpresaScope
const ids: string[] = []
beforeAll(async () => {
  world = await openWorld()
  const account_id = await world.account()
  key = await world.key(account_id)
  const { id, rut } = await emptyEmpresa(world, account_id)
  scope = { account_id, mode: 'test', empresa_id: id, rut }
  let minute = 0
  for (const one of [BARE, FULL, BARE]) {
    const at = new Date(`2026-11-16T12:0${minute++}:00Z`)
    const now = () => at
    ids.unshift(await world.db.transact((sql) => recordEvidence({ sql, now }, scope, one)))
  }
})
afterAll(() => world.close())

const path = () => `/v1/empresas/${scope.empresa_id}/onboarding/evidence`
const list = async (query = '') => (await world.get(`${path()}${query}`, { key })).body
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('GET /v1/empresas/{empresa_id}/onboarding/evidence', () => {
  it('200 shows every act, newest first, page by page and by step and act', async () => {
    const first = await list('?limit=2')
    expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, 2), true])
    expect(idsOf(await list(`?limit=2&cursor=${first.next_cursor}`))).toEqual(ids.slice(2))
    expect(idsOf(await list('?act=muestras_revision'))).toEqual([ids[1]])
    expect(idsOf(await list('?step=mandato'))).toEqual([ids[0], ids[2]])
    const { user_agent, ...full } = (await list('?act=muestras_revision')).data[0]
    expect(user_agent).toBe(FULL.user_agent?.slice(0, 512))
    expect(full).toEqual({
      object: 'evidence',
      id: ids[1],
      step: 'muestras_impresas',
      act: 'muestras_revision',
      actor: EVIL,
      at: '2026-11-16T12:01:00.000Z',
      ip: '10.0.0.7',
      document: FULL.document,
      via: 'hosted_page',
    })
  })

  it('200 of an archived empresa too; 400 invalid_cursor for a cursor of other filters', async () => {
    const { next_cursor } = await list('?limit=1')
    const sent = await world.get(`${path()}?step=mandato&cursor=${next_cursor}`, { key })
    expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
    await world.db.sql`update empresa set status = 'archived' where id = ${scope.empresa_id}`
    world.app.cache.invalidate(scope.account_id)
    expect(idsOf(await list())).toEqual(ids)
    expect((await world.get(`${path()}/export`, { key })).status).toBe(200)
  })
})

describe('GET /v1/empresas/{empresa_id}/onboarding/evidence/export', () => {
  it('200 gives the columns in their order, with a mark of UTF-8 and no formula that a spreadsheet would run', async () => {
    const sent = await world.get(`${path()}/export?act=muestras_revision`, { key })
    expect(sent.headers['content-disposition']).toContain(`${scope.rut}-evidence.csv`)
    expect([...sent.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [header, row] = sent.bytes.subarray(3).toString('utf8').split('\r\n')
    expect(header).toBe(
      'id,step,act,actor.rut,actor.name,actor.role,at,ip,user_agent,document.version,document.sha256,via',
    )
    expect(row).toContain(
      `${ids[1]},muestras_impresas,muestras_revision,11111111-1,"'=HYPERLINK(""http://x"")",titular_cuenta`,
    )
    expect(row).toContain('Navegador Ñ')
    expect(row?.endsWith(`,set-1,${'ab'.repeat(32)},hosted_page`)).toBe(true)
  })
})

describe('the evidence', () => {
  it('is never changed nor emptied, and that of a live empresa not deleted within six years', async () => {
    const run = (statement: string) => world.db.transact((_sql, client) => client.query(statement))
    await expect(run('update evidence set ip = null')).rejects.toThrow('append only')
    await expect(run('truncate evidence')).rejects.toThrow('append only')
    const other = await emptyEmpresa(world, scope.account_id)
    await run(`update empresa set mode = 'live' where id = '${other.id}'`)
    const live = { ...scope, mode: 'live', empresa_id: other.id } as const
    await world.db.transact((sql) => recordEvidence({ sql, now: () => new Date() }, live, BARE))
    await expect(run(`delete from evidence where empresa_id = '${other.id}'`)).rejects.toThrow('append only')
    await expect(run(`delete from empresa where id = '${other.id}'`)).rejects.toThrow('append only')
  })

  it('of a sandbox empresa goes with it', async () => {
    expect((await world.delete(`/v1/empresas/${scope.empresa_id}`, { key })).status).toBe(204)
    const left = await world.db.sql`select id from evidence where empresa_id = ${scope.empresa_id}`
    expect(left).toEqual([])
  })
})
