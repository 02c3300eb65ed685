import { name, part, type Sql } from './db.ts'
import type { Vault } from './vault.ts'

export interface VersionCount {
  readonly version: number
  readonly count: number
}

/** A kind of thing that needs the key of some version: until it is sealed anew, or until it ends by itself. */
export interface SealedStore {
  /** In the plural, for the person who runs the service. */
  readonly what: string
  count(sql: Sql): Promise<VersionCount[]>
  /**
   * Seals anew what is older than the vault's own version, at most `limit` of it behind the place `after`. Gives the place
   * where it ended, null when there was nothing more. Absent where things end by themselves.
   */
  reseal?(sql: Sql, vault: Vault, after: string, limit: number): Promise<string | null>
}

interface SealedColumn<Row> {
  readonly what: string
  readonly table: string
  readonly column: string
  /** A unique text by which rows are walked through. */
  readonly key: string
  /** What else of the row its owner in the vault is made of. */
  readonly also?: string
  readonly owner: (row: Row & { readonly key: string }) => string
}

/** A column of sealed bytes, whose first byte is the version. */
export function sealedColumn<Row extends { readonly also?: string } = object>(sealed: SealedColumn<Row>): SealedStore {
  const { what, owner } = sealed
  const [table, column, key, also] = [
    name(sealed.table),
    name(sealed.column),
    name(sealed.key),
    name(sealed.also ?? sealed.key),
  ]
  // A slice of one byte: PostgreSQL then leaves the rest of a large value where it lies.
  const first = part`substring(${column} from 1 for 1)`
  return {
    what,
    count: (sql) => sql<VersionCount>`
      select get_byte(${first}, 0) as version, count(*) as count from ${table}
      where octet_length(${column}) > 0 group by 1`,
    async reseal(sql, vault, after, limit) {
      const rows = await sql<Row & { key: string; sealed: Buffer }>`
        select ${key} as key, ${also} as also, ${column} as sealed from ${table}
        where ${key} > ${after} and octet_length(${column}) > 0 and ${first} < ${Buffer.from([vault.version])}
        order by ${key} limit ${limit}`
      for (const row of rows) {
        const fresh = Buffer.from(vault.seal(owner(row), vault.open(owner(row), row.sealed)))
        // Whoever changed it meanwhile sealed it anew already.
        await sql`update ${table} set ${column} = ${fresh} where ${key} = ${row.key} and ${column} = ${row.sealed}`
      }
      return rows.at(-1)?.key ?? null
    },
  }
}
