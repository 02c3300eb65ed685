import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  leftovers,
  NAMES_HEADER,
  namesFile,
  oneActivity,
  oneName,
  openFolder,
  RUT,
} from '../../../../test/support/nomina-file.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { zipOf } from '../../../../test/support/zip-file.ts'
import type { Database } from '../../../kernel/db.ts'
import { loadNomina } from './load-nomina.ts'

let world: World
let key: string
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account())
  folder = await openFolder()
})
beforeEach(() => world.db.sql`truncate contribuyente, contribuyente_activity, contribuyente_address, nomina_load`)
afterAll(() => Promise.all([world.close(), folder.remove()]))

const load = (paths: readonly string[]) => loadNomina(world.db, paths, { published_on: '2026-08-23' })
/** Rows for more than one COPY: the first of them is committed while the file is read on. */
const MANY = namesFile(60_000, 'EMPRESA DE PRUEBA '.repeat(9))

/** The database, where the session of a load ends in the middle of its second COPY. */
function cutDatabase(): Database {
  return {
    ...world.db,
    async connect() {
      const connection = await world.db.connect()
      const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
      const query = connection.query.bind(connection) as (asked: object) => Writable
      let copies = 0
      const cut = (asked: object): Writable => {
        const stream = query(asked)
        if (!(asked instanceof Writable) || ++copies !== 2) return stream
        const gone = world.db.sql`select pg_terminate_backend(${rows[0]?.pid}, 60000)`
        const write = stream.write.bind(stream) as (bytes: Buffer) => boolean
        stream.write = ((bytes: Buffer) => {
          write(bytes)
          void gone.then(() => stream.emit('drain'))
          return false
        }) as typeof stream.write
        return stream
      }
      return Object.assign(connection, { query: cut })
    },
  }
}

const nameNow = async () => (await world.get(`/v1/contribuyentes/${RUT}`, { key })).body.legal_name

describe('a load that cannot be', () => {
  beforeEach(async () => {
    await load([await folder.put('good.txt', oneName('DE ANTES'))])
  })

  it.each([
    ['a wrong header', 'RUT\tNOMBRE\n1\tX\n', /not the header/],
    ['not one good row', `${NAMES_HEADER}\n1\t1\t\tMAL\t\t\n`, /not one of its rows/],
    ['nothing in it', '', /is empty/],
  ])('leaves the old data serving: %s', async (_, text, why) => {
    await expect(
      load([await folder.put('a.txt', oneActivity('NUEVA')), await folder.put('bad.txt', text)]),
    ).rejects.toThrow(why)
    const { body } = await world.get(`/v1/contribuyentes/${RUT}`, { key })
    expect(body).toMatchObject({ legal_name: 'DE ANTES', activities: [] })
    expect(await leftovers(world.db.sql)).toEqual([])
  })

  it('leaves the old data serving when the .zip breaks after many good rows', async () => {
    const zip = zipOf([{ name: 'PUB_NOMBRES_PJ.txt', bytes: Buffer.from(MANY), claimed_crc: 7 }])
    await expect(load([await folder.put('late.zip', zip)])).rejects.toThrow(/Download it again/)
    expect(await nameNow()).toBe('DE ANTES')
    expect(await leftovers(world.db.sql)).toEqual([])
  })

  it('leaves the old data serving when its connection is cut in the middle, and the next load works', async () => {
    const path = await folder.put('big.txt', MANY)
    await expect(loadNomina(cutDatabase(), [path], { published_on: '2026-08-23' })).rejects.toThrow(
      /terminat|EPIPE|ECONNRESET/,
    )
    expect(await nameNow()).toBe('DE ANTES')
    await load([await folder.put('good.txt', oneName('DESPUES'))])
    expect(await nameNow()).toBe('DESPUES')
    expect(await leftovers(world.db.sql)).toEqual([])
  })

  it('refuses a second load while one runs', async () => {
    const path = await folder.put('some.txt', namesFile(5_000))
    const both = await Promise.allSettled([load([path]), load([path])])
    const refused = both.filter((each) => each.status === 'rejected')
    expect(refused.map(({ reason }) => String(reason.message))).toEqual([
      'Another load is running. Wait until it has ended.',
    ])
    expect(await world.db.sql`select count(*) from contribuyente`).toEqual([{ count: 5_000 }])
  })

  it('refuses a file given twice, and a text file that does not say when it was published', async () => {
    const path = await folder.put('good.txt', oneName('X'))
    await expect(load([path, path])).rejects.toThrow(/good\.txt was given twice/)
    await expect(loadNomina(world.db, [path])).rejects.toThrow(/Add --published-at=YYYY-MM-DD/)
  })
})

describe('reading while it is replaced', () => {
  it('sees one whole publication at every moment, and never an error', async () => {
    const publications = await Promise.all(
      ['UNO', 'DOS'].map(async (name) => [
        await folder.put(`n-${name}.txt`, oneName(name)),
        await folder.put(`a-${name}.txt`, oneActivity(name)),
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
    const readers = Promise.all([look(), look()])
    for (let i = 1; i <= 4; i++) await load(publications[i % 2] as string[])
    running = false
    await readers
    expect([...seen].sort()).toEqual(['DOS', 'UNO'])
    expect(looked).toBeGreaterThan(20)
  })
})
