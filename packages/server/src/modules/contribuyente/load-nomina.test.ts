import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACTIVITIES_HEADER, ADDRESSES_HEADER, columns, NAMES_HEADER, namesFile } from '../../../test/nomina.ts'
import { openWorld, type World } from '../../../test/world.ts'
import { zipOf } from '../../../test/zip.ts'
import { loadNomina } from './load-nomina.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/sii/samples/nomina/', import.meta.url))
const RUT = '76543210-3'

let world: World
let key: string
let folder: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account())
  folder = await mkdtemp(join(tmpdir(), 'timbre-nomina-'))
})
beforeEach(() => world.db.sql`truncate contribuyente, contribuyente_activity, contribuyente_address, nomina_load`)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(name: string, bytes: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

const load = (paths: readonly string[]) => loadNomina(world.db, paths, { published_on: '2026-08-23' })
const names = (name: string) => `${NAMES_HEADER}\n${columns(76543210)}\t125\t${name}\t01-03-2015\t\n`
const activities = (name: string) => `${ACTIVITIES_HEADER}\n${columns(76543210)}\t011101\t${name}\t01-03-2015\tS\t1\n`
const nameNow = async () => (await world.get(`/v1/contribuyentes/${RUT}`, { key })).body.legal_name

async function leftovers(): Promise<string[]> {
  const rows = await world.db.sql<{ relname: string }>`
    select relname from pg_class where relname like 'contribuyente%next%'`
  return rows.map(({ relname }) => relname)
}

describe('loading the nómina', () => {
  it('puts names, activities and addresses in place, from .zip and .txt, and dates them', async () => {
    const zip = zipOf([{ name: 'PUB_NOMBRES_PJ.txt', bytes: Buffer.from(names('ÑANDÚ SPA')) }])
    const home = `${columns(76543210)}\tS\t2015-03-01\tDOMICILIO\tCALLE NUNOA\t123\tB\t45\tVILLA SUR\tSANTIAGO\tÑUÑOA\tXIII`
    const branch = `${columns(76543210)}\tS\t2020-03-01\tSUCURSAL\tOTRA\t1\t\t\t\tTALCA\tTALCA\tVII`
    const addresses = zipOf([
      { name: 'PUB_NOM_SUCURSAL.txt', bytes: Buffer.from(`${ADDRESSES_HEADER}\n${branch}\n`) },
      { name: 'PUB_NOM_DOMICILIO.txt', bytes: Buffer.from(`${ADDRESSES_HEADER}\n${home}\n`) },
    ])
    const paths = [
      await put('PUB_NOM_DIRECCIONES.zip', addresses),
      await put(
        'PUB_NOM_ACTECOS.zip',
        zipOf([{ name: 'PUB_NOM_ACTECOS.txt', bytes: Buffer.from(activities('CULTIVO DE TRIGO')) }]),
      ),
      await put('PUB_NOMBRES_PJ.zip', zip),
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
    expect(await leftovers()).toEqual([])
  })

  it.skipIf(!existsSync(SAMPLES))(
    'takes the three published layouts as sampled, and refuses the list that is another',
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
      await expect(load([join(SAMPLES, 'ce_empresas_dwnld.sample.csv')])).rejects.toThrow(/not the header/)
    },
  )
  if (!existsSync(SAMPLES)) console.warn(`skipped the samples of the SII: they are not at ${SAMPLES}`)

  it('replaces what was there, keeps the datasets whose files are not given, and counts what it refused', async () => {
    await load([await put('n.txt', names('UNO')), await put('a.txt', activities('TRIGO'))])
    const [report] = await load([await put('n.txt', `${names('DOS')}1\t1\t\tMAL\t\t\n`)])
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
    await load([await put('n.txt', names('AHORA') + ended)])
    expect(await nameNow()).toBe('AHORA')
  })

  it('tells how far it is', async () => {
    const lines: string[] = []
    const path = await put('big.txt', namesFile(260_000))
    await loadNomina(world.db, [path], { published_on: '2026-08-23', say: (line) => lines.push(line) })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^big\.txt: 2\d\d,\d{3} rows$/)
    expect(await world.db.sql`select count(*) from contribuyente`).toEqual([{ count: 260_000 }])
  })
})

describe('a load that cannot be', () => {
  beforeEach(async () => {
    await load([await put('good.txt', names('DE ANTES'))])
  })

  it.each([
    ['a wrong header', 'RUT\tNOMBRE\n1\tX\n', /not the header/],
    ['not one good row', `${NAMES_HEADER}\n1\t1\t\tMAL\t\t\n`, /not one of its rows/],
    ['nothing in it', '', /is empty/],
  ])('leaves the old data serving: %s', async (_, text, why) => {
    await expect(load([await put('a.txt', activities('NUEVA')), await put('bad.txt', text)])).rejects.toThrow(why)
    const { body } = await world.get(`/v1/contribuyentes/${RUT}`, { key })
    expect(body).toMatchObject({ legal_name: 'DE ANTES', activities: [] })
    expect(await leftovers()).toEqual([])
  })

  it('leaves the old data serving when the .zip breaks after many good rows', async () => {
    const zip = zipOf([{ name: 'PUB_NOMBRES_PJ.txt', bytes: Buffer.from(namesFile(300_000)), claimed_crc: 7 }])
    await expect(load([await put('late.zip', zip)])).rejects.toThrow(/Download it again/)
    expect(await nameNow()).toBe('DE ANTES')
    expect(await leftovers()).toEqual([])
  })

  it('leaves the old data serving when its connection is cut in the middle, and the next load works', async () => {
    const path = await put('big.txt', namesFile(400_000))
    const cut = async () => {
      for (;;) {
        const [hit] = await world.db.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'copy contribuyente%' and state = 'active'`
        if (hit) return
        await sleep(5)
      }
    }
    await Promise.all([expect(load([path])).rejects.toThrow(), cut()])
    expect(await nameNow()).toBe('DE ANTES')
    await load([await put('good.txt', names('DESPUES'))])
    expect(await nameNow()).toBe('DESPUES')
    expect(await leftovers()).toEqual([])
  })

  it('refuses a second load while one runs', async () => {
    const path = await put('some.txt', namesFile(100_000))
    const both = await Promise.allSettled([load([path]), load([path])])
    const refused = both.filter((each) => each.status === 'rejected')
    expect(refused.map(({ reason }) => String(reason.message))).toEqual([
      'Another load is running. Wait until it has ended.',
    ])
    expect(await world.db.sql`select count(*) from contribuyente`).toEqual([{ count: 100_000 }])
  })

  it('refuses a file given twice, and a text file that does not say when it was published', async () => {
    const path = await put('good.txt', names('X'))
    await expect(load([path, path])).rejects.toThrow(/good\.txt was given twice/)
    await expect(loadNomina(world.db, [path])).rejects.toThrow(/Add --published-at=YYYY-MM-DD/)
  })
})

describe('reading while it is replaced', () => {
  it('sees one whole publication at every moment, and never an error', async () => {
    const publications = await Promise.all(
      ['UNO', 'DOS'].map(async (name) => [
        await put(`n-${name}.txt`, names(name)),
        await put(`a-${name}.txt`, activities(name)),
      ]),
    )
    await load(publications[0] as string[])
    const seen = new Set<string>()
    let running = true
    let looked = 0
    const look = async () => {
      while (running) {
        const { status, body } = await world.get(`/v1/contribuyentes/${RUT}`, { key })
        expect(status).toBe(200)
        expect(body.activities[0].description).toBe(body.legal_name)
        seen.add(body.legal_name)
        looked++
      }
    }
    const readers = Promise.all([look(), look(), look(), look()])
    for (let i = 1; i <= 12; i++) await load(publications[i % 2] as string[])
    running = false
    await readers
    expect([...seen].sort()).toEqual(['DOS', 'UNO'])
    expect(looked).toBeGreaterThan(50)
  })
})
