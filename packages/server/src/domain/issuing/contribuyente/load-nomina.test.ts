import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ADDRESSES_HEADER,
  columns,
  leftovers,
  namesFile,
  oneActivity,
  oneName,
  openFolder,
  RUT,
} from '../../../../test/support/nomina-file.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { zipOf } from '../../../../test/support/zip-file.ts'
import { exchangeMailboxOf } from './exchange-mailbox.ts'
import { loadNomina } from './load-nomina.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../../shared/sii/samples/nomina/', import.meta.url))

let world: World
let key: string
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account())
  folder = await openFolder()
})
beforeEach(
  () => world.db.sql`truncate contribuyente, contribuyente_activity, contribuyente_address,
  contribuyente_mailbox, nomina_load`,
)
afterAll(() => Promise.all([world.close(), folder.remove()]))

const load = (paths: readonly string[]) => loadNomina(world.db, paths, { published_on: '2026-08-23' })
const nameNow = async () => (await world.get(`/v1/contribuyentes/${RUT}`, { key })).body.legal_name

describe('loading the nómina', () => {
  it('loads the exchange mailboxes of the list of electronic taxpayers, and leaves the rest as it was', async () => {
    await load([await folder.put('nombres.txt', oneName('ÑANDÚ SPA'))])
    const list = Buffer.from(
      'RUT;RAZON SOCIAL;NUMERO RESOLUCION;FECHA RESOLUCION;MAIL INTERCAMBIO;URL\n' +
        '76543210-3;ÑANDÚ SPA;80;22-08-2014;dte@nandu.cl;\n' +
        '77123456-9;SIN CASILLA LTDA;99;21-10-2014;;www.ejemplo.cl\n' +
        '77123456-8;RUT MALO;99;21-10-2014;malo@ejemplo.cl;\n',
      'latin1',
    )
    const [report] = await load([await folder.put('ce_empresas_dwnld.csv', list)])
    expect(report).toMatchObject({ rows: 1, refused: 2, first_refused: [{ line: 3 }, { line: 4, why: 'its RUT' }] })
    expect(await exchangeMailboxOf(world.db.sql, RUT)).toBe('dte@nandu.cl')
    expect(await exchangeMailboxOf(world.db.sql, '77123456-9')).toBeNull()
    expect(await nameNow()).toBe('ÑANDÚ SPA')
  })

  it('puts names, activities and addresses in place, from .zip and .txt, and dates them', async () => {
    const zip = zipOf([{ name: 'PUB_NOMBRES_PJ.txt', bytes: Buffer.from(oneName('ÑANDÚ SPA')) }])
    const home = `${columns(76543210)}\tS\t2015-03-01\tDOMICILIO\tCALLE NUNOA\t123\tB\t45\tVILLA SUR\tSANTIAGO\tÑUÑOA\tXIII`
    const branch = `${columns(76543210)}\tS\t2020-03-01\tSUCURSAL\tOTRA\t1\t\t\t\tTALCA\tTALCA\tVII`
    const addresses = zipOf([
      { name: 'PUB_NOM_SUCURSAL.txt', bytes: Buffer.from(`${ADDRESSES_HEADER}\n${branch}\n`) },
      { name: 'PUB_NOM_DOMICILIO.txt', bytes: Buffer.from(`${ADDRESSES_HEADER}\n${home}\n`) },
    ])
    const paths = [
      await folder.put('PUB_NOM_DIRECCIONES.zip', addresses),
      await folder.put(
        'PUB_NOM_ACTECOS.zip',
        zipOf([{ name: 'PUB_NOM_ACTECOS.txt', bytes: Buffer.from(oneActivity('CULTIVO DE TRIGO')) }]),
      ),
      await folder.put('PUB_NOMBRES_PJ.zip', zip),
    ]
    const reports = await loadNomina(world.db, paths)
    expect(reports.map(({ file, rows, refused }) => [file, rows, refused])).toEqual([
      ['PUB_NOM_SUCURSAL.txt', 1, 0],
      ['PUB_NOM_DOMICILIO.txt', 1, 0],
      ['PUB_NOM_ACTECOS.txt', 1, 0],
      ['PUB_NOMBRES_PJ.txt', 1, 0],
    ])
    const { body } = await world.get(`/v1/contribuyentes/${RUT}`, { key })
    expect(body).toMatchObject({
      legal_name: 'ÑANDÚ SPA',
      address: { street: 'CALLE NUNOA 123, BLOQUE B, DEPTO 45, VILLA SUR', comuna: 'ÑUÑOA', city: 'SANTIAGO' },
      source: { published_at: '2026-08-23T14:30:00.000Z' },
    })
    expect(await leftovers(world.db.sql)).toEqual([])
  })

  it.skipIf(!existsSync(SAMPLES))(
    'takes the published layouts as sampled, the list of mailboxes among them',
    async () => {
      const reports = await load(
        ['PUB_NOMBRES_PJ', 'PUB_NOM_ACTECOS', 'PUB_NOM_DOMICILIO'].map((name) => join(SAMPLES, `${name}.sample.txt`)),
      )
      expect(reports.map(({ rows, refused }) => [rows, refused])).toEqual([
        [2, 0],
        [2, 0],
        [1, 0],
      ])
      expect((await world.get(`/v1/contribuyentes/77123456-9`, { key })).body.ended_on).toBe('2022-12-31')
      await load([join(SAMPLES, 'ce_empresas_dwnld.sample.csv')])
      expect(await exchangeMailboxOf(world.db.sql, '77123456-9')).toBe('recepcion@ejemplo.cl')
    },
  )
  if (!existsSync(SAMPLES)) console.warn(`skipped the samples of the SII: they are not at ${SAMPLES}`)

  it('replaces what was there, keeps the datasets whose files are not given, and counts what it refused', async () => {
    await load([await folder.put('n.txt', oneName('UNO')), await folder.put('a.txt', oneActivity('TRIGO'))])
    const [report] = await load([await folder.put('n.txt', `${oneName('DOS')}1\t1\t\tMAL\t\t\n`)])
    expect(report).toMatchObject({ rows: 1, refused: 1, first_refused: [{ line: 3, why: 'its DV' }] })
    const { body } = await world.get(`/v1/contribuyentes/${RUT}`, { key })
    expect(body).toMatchObject({ legal_name: 'DOS', activities: [{ code: '011101', description: 'TRIGO' }] })
    const rows = await world.db.sql`select dataset, row_count, refused_count from nomina_load order by dataset`
    expect(rows).toEqual([
      { dataset: 'activities', row_count: 1, refused_count: 0 },
      { dataset: 'names', row_count: 1, refused_count: 1 },
    ])
  })

  it('loads twice the same RUT without stumbling, and shows the one in force', async () => {
    const ended = `${columns(76543210)}\t125\tANTES\t01-03-2001\t31-12-2010\n`
    await load([await folder.put('n.txt', oneName('AHORA') + ended)])
    expect(await nameNow()).toBe('AHORA')
  })

  it('tells how far it is', async () => {
    const lines: string[] = []
    const path = await folder.put('big.txt', namesFile(260_000))
    await loadNomina(world.db, [path], { published_on: '2026-08-23', onProgress: (line) => lines.push(line) })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^big\.txt: 2\d\d,\d{3} rows$/)
    expect(await world.db.sql`select count(*) from contribuyente`).toEqual([{ count: 260_000 }])
  })
})
