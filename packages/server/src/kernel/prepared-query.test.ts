import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Database, openDatabase } from './db.ts'

let db: Database
beforeAll(() => {
  // One connection, so that every statement finds what the one before it left there.
  db = openDatabase(inject('postgresUrl'), { pool_size: 1, onError: () => undefined })
})
afterAll(() => db.end())

const HARD = ['', 'NULL', '{}', 'a,b', 'say "hi"', 'back\\slash\\', "l'été 日本 🧾", ' x ', 'null']
/** What JSON would write in a way of its own, beside what has to be escaped. */
const HARDER = ['a "line"\nand another\r\n', '\t"\u0001\u001f\u007f\u2028"', '"🧾"\\', '{"a":"b\\n\\u0000"}']
const instant = new Date('2026-11-17T12:34:56.789Z')

const RETURNS = {
  text: (value: unknown) => db.sql`select ${value}::text as it`,
  integer: (value: unknown) => db.sql`select ${value}::integer as it`,
  float8: (value: unknown) => db.sql`select ${value}::float8 as it`,
  boolean: (value: unknown) => db.sql`select ${value}::boolean as it`,
  bytea: (value: unknown) => db.sql`select ${value}::bytea as it`,
  timestamptz: (value: unknown) => db.sql`select ${value}::timestamptz as it`,
  jsonb: (value: unknown) => db.sql`select ${value}::jsonb as it`,
  texts: (value: unknown) => db.sql`select ${value}::text[] as it`,
  names: (value: unknown) => db.sql`select ${value}::varchar[] as it`,
  integers: (value: unknown) => db.sql`select ${value}::integer[] as it`,
  booleans: (value: unknown) => db.sql`select ${value}::boolean[] as it`,
  instants: (value: unknown) => db.sql`select ${value}::timestamptz[] as it`,
  files: (value: unknown) => db.sql`select ${value}::bytea[] as it`,
}

describe('a value', () => {
  it.each<[string, keyof typeof RETURNS, unknown]>([
    ['a text that is hard to quote', 'text', HARD.join('|')],
    ['an empty text', 'text', ''],
    ['nothing', 'text', null],
    ['a long text', 'text', 'ñ'.repeat(1 << 20)],
    ['a whole number', 'integer', -7],
    ['a number with decimals', 'float8', 190.5],
    ['a truth', 'boolean', true],
    ['bytes', 'bytea', Buffer.from([0, 1, 92, 39, 255])],
    ['no bytes', 'bytea', Buffer.alloc(0)],
    ['an instant', 'timestamptz', instant],
    ['an object', 'jsonb', { a: [1, null, 'ñ "b"'] }],
    ['texts', 'texts', HARD],
    ['texts with lines and signs', 'texts', HARDER],
    ['texts and nothing', 'texts', ['a', null, 'b']],
    ['a list of nothing', 'texts', [null]],
    ['a long text among short ones', 'texts', ['a', 'ñ'.repeat(1 << 18), '']],
    [
      'lists of texts',
      'texts',
      [
        ['a', '"'],
        [null, '{}'],
      ],
    ],
    ['texts of another type', 'names', HARD],
    ['texts of another type with lines and signs', 'names', HARDER],
    ['texts of another type and nothing', 'names', ['a', null, 'b']],
    ['no texts of another type', 'names', []],
    ['no texts', 'texts', []],
    ['numbers', 'integers', [3, -2, 1]],
    [
      'lists',
      'integers',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['truths', 'booleans', [true, false]],
    ['instants', 'instants', [new Date(0), instant]],
    [
      'instants with the same last digits',
      'instants',
      [instant, new Date(instant.getTime() + 16), instant, new Date(-16)],
    ],
    ['texts that are just short and just long', 'texts', [63, 64, 65].map((length) => 'x'.repeat(length))],
    ['a letter to quote at the end of a short text', 'texts', [`${'x'.repeat(63)}"`, `${'x'.repeat(63)}ñ`, `x\\`]],
    ['files', 'files', [Buffer.from('a"\\b'), Buffer.alloc(0), randomBytes(300)]],
    ['files and nothing', 'files', [Buffer.from('a'), null]],
    ['no files', 'files', []],
  ])('arrives as it was sent: %s', async (_, type, value) => {
    expect(await RETURNS[type](value)).toEqual([{ it: value }])
    // The second time PostgreSQL has the statement, and nobody asks for its columns.
    expect(await RETURNS[type](value)).toEqual([{ it: value }])
  })

  it.each(['texts', 'names'] as const)(
    'in a list arrives as its text, and half of a letter as a sign for it: %s',
    async (type) => {
      const sent = [1.5, true, undefined, { a: '"' }, instant, '\ud834', 'x']
      const it = ['1.5', 'true', null, '{"a":"\\""}', instant.toISOString(), '\ufffd', 'x']
      expect(await RETURNS[type](sent)).toEqual([{ it }])
    },
  )

  it.each(['text', 'texts', 'names'] as const)(
    'with a letter that PostgreSQL does not know is refused: %s',
    async (type) => {
      await expect(RETURNS[type](type === 'text' ? 'a\0b' : ['a\0b'])).rejects.toMatchObject({ code: '22021' })
    },
  )

  it('of eleven lists is written as its own type asks, whatever begins like its number', async () => {
    const [row] = await db.sql<{ a: string[]; k: number[] }>`
      select ${['a']}::text[] as a, ${1}::int, ${1}::int, ${1}::int, ${1}::int, ${1}::int, ${1}::int, ${1}::int, ${1}::int,
        ${1}::int, ${[7]}::integer[] as k, ${['l']}::text[] as l`
    expect(row).toMatchObject({ a: ['a'], k: [7], l: ['l'] })
  })

  it('of a list is not taken for a text because the statement tells of one', async () => {
    const [row] = await db.sql<{ told: string; it: number[] }>`
      select '$1::text[]' as told, ${['1', '2']}::integer[] as it`
    expect(row).toEqual({ told: '$1::text[]', it: [1, 2] })
  })

  it('in a list of texts may be bytes, as PostgreSQL writes them', async () => {
    expect(await RETURNS.texts([Buffer.from('ab'), 'x'])).toEqual([{ it: ['\\x6162', 'x'] }])
  })

  it('that is undefined arrives as nothing, and an instant of a far year as itself', async () => {
    expect(await RETURNS.text(undefined)).toEqual([{ it: null }])
    const far = new Date('+012026-01-02T03:04:05.006Z')
    const [row] = await db.sql<{ ms: number }>`
      select (extract(epoch from ${far}::timestamptz) * 1000)::int8 as ms`
    expect(row?.ms).toBe(far.getTime())
  })
})

describe('a statement', () => {
  it('gives its rows in order, and those of another time when it is asked again', async () => {
    const upTo = (most: number) => db.sql<{ n: number }>`select n, null as none from generate_series(1, ${most}::int) n`
    expect(await upTo(3)).toEqual([1, 2, 3].map((n) => ({ n, none: null })))
    expect(await upTo(0)).toEqual([])
    expect(await upTo(1)).toEqual([{ n: 1, none: null }])
  })

  it('without columns gives no rows, as often as it runs', async () => {
    await db.sql`create temp table scribbled (n integer)`
    const scribble = (n: number) => db.sql`insert into scribbled values (${n})`
    for (const n of [1, 2, 3]) expect(await scribble(n)).toEqual([])
    expect(await db.sql`select sum(n)::int as sum from scribbled`).toEqual([{ sum: 6 }])
  })

  it('that PostgreSQL refuses is an error with its code, and the next one is answered', async () => {
    const divide = (by: number) => db.sql<{ it: number }>`select 6 / ${by}::int as it`
    for (let i = 0; i < 2; i++) {
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
      expect(await divide(2)).toEqual([{ it: 3 }])
    }
  })

  it('that fails has let go of its locks when its error is heard', async () => {
    const other = openDatabase(inject('postgresUrl'), { pool_size: 1, onError: () => undefined })
    const key = randomBytes(6).readUIntBE(0, 6)
    const isFree = () => other.sql`select pg_try_advisory_xact_lock(${key}::bigint) as free`
    expect(await isFree()).toEqual([{ free: true }])
    // So many values are put away before the locks are, and long after the error was sent.
    const fail = () => db.sql`
      select 1 / (cardinality(array_agg(repeat('x', 500))) - 100000) from generate_series(1, 100000),
        pg_advisory_xact_lock(${key}::bigint)`
    for (let i = 0; i < 5; i++) {
      await expect(fail()).rejects.toMatchObject({ code: '22012' })
      expect(await isFree()).toEqual([{ free: true }])
    }
    await other.end()
  })

  it('whose connection is ended from outside is an error, and the next one is answered over another', async () => {
    const ended = db.sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)`
    await expect(ended).rejects.toMatchObject({ code: '57P01' })
    expect(await db.sql`select 1 as it`).toEqual([{ it: 1 }])
  })

  it('with a value that cannot be written is an error, and nothing of it is sent', async () => {
    const circle: { self?: object } = {}
    circle.self = circle
    await expect(RETURNS.jsonb(circle)).rejects.toThrow(/circular/)
    await expect(RETURNS.timestamptz(new Date(Number.NaN))).rejects.toThrow(/Invalid time/)
    expect(await RETURNS.jsonb({})).toEqual([{ it: {} }])
  })

  it('is the same within a transaction, and after one that failed', async () => {
    const inside = (by: number) => db.transact((sql) => sql<{ it: number }>`select 8 / ${by}::int as it`)
    expect(await inside(2)).toEqual([{ it: 4 }])
    await expect(inside(0)).rejects.toMatchObject({ code: '22012' })
    expect(await inside(4)).toEqual([{ it: 2 }])
  })

  it('whose table got another column is refused, and never read by the columns of before', async () => {
    const found = await db.transact(async (sql, client) => {
      await client.query(
        'create temp table widened (a integer, b text) on commit drop; insert into widened values (1, $$x$$)',
      )
      const all = () => sql`select * from widened`
      const before = await all()
      await client.query('alter table widened add column first_of_all integer default 9')
      await client.query('savepoint widened')
      const refused = await all().catch((error: unknown) => error)
      await client.query('rollback to savepoint widened')
      return { before, refused }
    })
    expect(found.before).toEqual([{ a: 1, b: 'x' }])
    expect(found.refused).toMatchObject({ code: '0A000' })
  })
})
