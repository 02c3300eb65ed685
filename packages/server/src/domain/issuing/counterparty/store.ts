import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CounterpartyRow } from './show.ts'

const COLUMNS = part`rut, legal_name, giro, street, comuna, city, source, inferred, created_at, updated_at`

function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

export async function readCounterparty(sql: Sql, empresa: EmpresaScope, rut: string): Promise<CounterpartyRow | null> {
  const [row] = await sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${of(empresa)} and rut = ${rut}`
  return row ?? null
}

/** By RUT, which the primary key serves however long the address book is. */
export async function listCounterparties(
  sql: Sql,
  empresa: EmpresaScope,
  page: { after: string | null; take: number },
): Promise<CounterpartyRow[]> {
  return sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${of(empresa)}
      ${page.after === null ? nothing : part`and rut > ${page.after}`}
    order by rut limit ${page.take}`
}

/**
 * The row of a counterparty, made if there was none, held until the transaction ends: whatever is decided by looking
 * at its contacts (who is primary, how many there are) is decided by one caller at a time.
 */
export async function holdCounterparty(
  sql: Sql,
  empresa: EmpresaScope,
  rut: string,
  now: Date,
): Promise<CounterpartyRow> {
  const { account_id, empresa_id, mode } = empresa
  await sql`
    insert into counterparty (account_id, empresa_id, mode, rut, created_at, updated_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${rut}, ${now}, ${now})
    on conflict (empresa_id, rut) do nothing`
  const [row] = await sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${of(empresa)} and rut = ${rut} for update`
  return row as CounterpartyRow
}

export async function writeCounterparty(sql: Sql, empresa: EmpresaScope, row: CounterpartyRow): Promise<void> {
  await sql`
    update counterparty set legal_name = ${row.legal_name}, giro = ${row.giro}, street = ${row.street},
      comuna = ${row.comuna}, city = ${row.city}, source = ${row.source}, inferred = ${row.inferred}, updated_at = ${row.updated_at}
    where ${of(empresa)} and rut = ${row.rut}`
}
