import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CesionFacts } from '../document/show.ts'
import type { CedeDocument } from './schema.ts'

/** The terms of a cesión, complete. */
export interface CesionTerms extends Pick<CedeDocument, 'cesionario'> {
  readonly amount: number
  readonly due_date: string
  readonly conditions?: string | undefined
  readonly debtor_email?: string | undefined
  readonly contact: { readonly name?: string; readonly phone?: string; readonly email: string }
}

export interface CesionRow {
  readonly id: string
  readonly document_id: string
  readonly terms: CesionTerms
  /** The signed file, once there is one. */
  readonly aec: Buffer | null
  /** How often it was about to leave for the register. */
  readonly sends: number
  /** Since when a copy is refused while an earlier one may still be registered, or the register does not know what it took. */
  readonly refused_since: Date | null
}

/** What a document shows of a cesión that has just been requested. */
export function factsOf(id: string, { cesionario, amount, due_date }: CesionTerms): CesionFacts {
  return {
    id,
    cesionario: { rut: cesionario.rut, legal_name: cesionario.legal_name },
    amount,
    due_date,
    track_id: null,
    estado: null,
    glosa: null,
    explanation: null,
    failure: null,
    submitted_at: null,
    settled_at: null,
  }
}

export async function insertCesion(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  row: Pick<CesionRow, 'id' | 'document_id' | 'terms'> & { readonly created_at: Date },
): Promise<void> {
  await sql`
    insert into cesion (account_id, empresa_id, mode, id, document_id, terms, created_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.id}, ${row.document_id}, ${JSON.stringify(row.terms)}::json,
      ${row.created_at})`
}

export async function findCesion(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  id: string,
): Promise<CesionRow | null> {
  const [row] = await sql<CesionRow>`
    select id, document_id, terms, aec, sends, refused_since from cesion
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and id = ${id}`
  return row ?? null
}

/** Stores the AEC before it is sent and returns the stored one: the first counts. */
export async function saveAec(sql: Sql, scope: EmpresaScope, id: string, aec: Uint8Array): Promise<Buffer | null> {
  const [row] = await sql<{ aec: Buffer }>`
    update cesion set aec = coalesce(aec, ${Buffer.from(aec)})
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and id = ${id} returning aec`
  return row?.aec ?? null
}

/** Counted before it leaves: of one that may have arrived, no later copy decides alone. */
export async function countSend(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`
    update cesion set sends = sends + 1
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and id = ${id}`
}

/** Since when a copy of it is refused: the first time counts. */
export async function saveRefusedSince(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`
    update cesion set refused_since = coalesce(refused_since, ${at})
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and id = ${id}`
}
