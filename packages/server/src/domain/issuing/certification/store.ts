import type { Finding } from '@timbre/certification'
import { part, type Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { CertificationRow, SetKind, SetRow } from './file.ts'

const UNKNOWN: CertificationRow = { resolucion_on: null, words: null, said_at: null, findings: [], inputs: {} }

export async function findCertification(sql: Sql, scope: EmpresaScope): Promise<CertificationRow> {
  const [row] = await sql<CertificationRow>`
    select resolucion_on, words, said_at, findings, inputs from certification where ${ownedBy(scope)}`
  return row ?? UNKNOWN
}

/** Changes what is told; the rest stays. */
export async function saveCertification(sql: Sql, scope: EmpresaScope, told: Partial<CertificationRow>): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  const { resolucion_on, words, said_at, findings, inputs } = told
  await sql`
    insert into certification as c (account_id, empresa_id, mode, resolucion_on, words, said_at, findings, inputs)
    values (${account_id}, ${empresa_id}, ${mode}, ${resolucion_on ?? null}, ${words ?? null}, ${said_at ?? null},
      ${JSON.stringify(findings ?? [])}::json, ${JSON.stringify(inputs ?? {})}::json)
    on conflict (empresa_id) do update set
      resolucion_on = ${resolucion_on === undefined ? part`c.resolucion_on` : part`excluded.resolucion_on`},
      words = ${words === undefined ? part`c.words` : part`excluded.words`},
      said_at = ${said_at === undefined ? part`c.said_at` : part`excluded.said_at`},
      findings = ${findings === undefined ? part`c.findings` : part`excluded.findings`},
      inputs = ${inputs === undefined ? part`c.inputs` : part`excluded.inputs`}
    where ${ownedBy(scope, 'c')}`
}

/** The SII's last words. */
export function saveWords(sql: Sql, scope: EmpresaScope, words: string, said_at: Date): Promise<void> {
  return saveCertification(sql, scope, { words, said_at })
}

export function saveFindings(sql: Sql, scope: EmpresaScope, findings: readonly Finding[]): Promise<void> {
  return saveCertification(sql, scope, { findings })
}

const SET_COLUMNS = part`id, kind, source, file, downloaded_on, received_at`

export async function findSet(sql: Sql, scope: EmpresaScope, kind: SetKind): Promise<SetRow | null> {
  const [row] = await sql<SetRow>`
    select ${SET_COLUMNS} from certification_set where ${ownedBy(scope)} and kind = ${kind} and superseded_at is null`
  return row ?? null
}

export async function listSets(sql: Sql, scope: EmpresaScope): Promise<SetRow[]> {
  return sql<SetRow>`
    select ${SET_COLUMNS} from certification_set where ${ownedBy(scope)} and superseded_at is null order by kind desc`
}

/** Takes the place of the one before, with everything that was made of it. */
export async function insertSet(
  sql: Sql,
  scope: EmpresaScope,
  { kind, source, file, downloaded_on, received_at }: Omit<SetRow, 'id'>,
): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    update certification_file set superseded_at = ${received_at}, changed_at = ${received_at}
    where ${ownedBy(scope)} and superseded_at is null and set_id in (
      select id from certification_set where ${ownedBy(scope)} and kind = ${kind} and superseded_at is null)`
  await sql`
    update certification_set set superseded_at = ${received_at}
    where ${ownedBy(scope)} and kind = ${kind} and superseded_at is null`
  await sql`
    insert into certification_set (account_id, empresa_id, mode, id, kind, source, file, downloaded_on, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${newId('certification_set')}, ${kind}, ${source}, ${Buffer.from(file)},
      ${downloaded_on}, ${received_at})`
}
