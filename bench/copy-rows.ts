import { once } from 'node:events'
import pgCopy from 'pg-copy-streams'
import { built, type Service } from './service.ts'

const WRITTEN_AT_ONCE = 5_000
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** An id as the service would have made it at that instant, told apart by its number. */
export function id(kind: Parameters<typeof built.idFloor>[0], at: number, n: number): string {
  let tail = ''
  for (let rest = n, i = 0; i < 16; i++, rest = Math.floor(rest / 32)) tail = ALPHABET[rest % 32] + tail
  return built.idFloor(kind, new Date(at)).slice(0, -16) + tail
}

export const iso = (at: number) => new Date(at).toISOString()

/** Copies rows into a table; a null is told as COPY tells it. */
export async function copy(
  { db }: Service,
  into: string,
  rows: number,
  row: (n: number) => (string | number | null)[],
): Promise<void> {
  const client = await db.connect()
  await client.query('set synchronous_commit = off')
  const stream = client.query(pgCopy.from(`copy ${into} from stdin`))
  for (let first = 0; first < rows; first += WRITTEN_AT_ONCE) {
    let text = ''
    for (let n = first; n < Math.min(rows, first + WRITTEN_AT_ONCE); n++) {
      text += `${row(n)
        .map((value) => value ?? '\\N')
        .join('\t')}\n`
    }
    if (!stream.write(text)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
  await client.end()
}

/**
 * Has a table filled before its indexes are built, those of constraints apart: as they were, and in a quarter of the time.
 */
export async function indexedAfter({ db }: Service, table: string, fill: () => Promise<void>): Promise<void> {
  const client = await db.connect()
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
     where indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await fill()
  await client.query(`set maintenance_work_mem = '256MB'`)
  // Of a table that is cut, an index is told as that of the parent alone.
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
  await client.end()
}
