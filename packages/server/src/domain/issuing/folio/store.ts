import { MODES } from '../../../catalog/modes.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { EmissionChannel } from '../../platform/empresa/channels.ts'
import type { CafRow } from './show.ts'

export const COLUMNS = part`id, mode, tipo_dte, ambiente, from_folio, to_folio, next_folio, spent, authorised_on, expires_on,
  source, status, created_at, deactivated_at`

export function ofEmpresa({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`e.account_id = ${account_id} and e.id = ${empresa_id} and e.mode = ${mode}`
}

export function owned({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

/** The folios documents are emitted with; those of a certification are counted apart. */
export function emittingAmbiente({ mode }: EmpresaScope): Ambiente {
  return MODES[mode].ambiente_when_emitting
}

/** What a range is asked and judged by. */
export interface Emisor {
  readonly legal_name: string
  readonly status: string
  readonly onboarding_status: string
  readonly emission_channel: EmissionChannel
  readonly doc_types: number[]
  readonly resolucion_numero: number | null
}

const EMISOR = part`legal_name, status, onboarding_status, emission_channel, doc_types, resolucion_numero`

export async function findEmisor(sql: Sql, scope: EmpresaScope): Promise<Emisor | null> {
  const [row] = await sql<Emisor>`select ${EMISOR} from empresa e where ${ofEmpresa(scope)}`
  return row ?? null
}

/** The same, and nobody else adds a range to it until the transaction ends. Its documents are not held up. */
export async function lockEmisor(sql: Sql, scope: EmpresaScope): Promise<Emisor | null> {
  const [row] = await sql<Emisor>`select ${EMISOR} from empresa e where ${ofEmpresa(scope)} for no key update`
  return row ?? null
}

export interface NewCaf {
  readonly id: string
  readonly tipo_dte: number
  readonly ambiente: Ambiente
  readonly from_folio: number
  readonly to_folio: number
  readonly authorised_on: string
  readonly expires_on: string | null
  readonly key_id: number
  readonly source: CafRow['source']
  readonly requested_by: string | null
  readonly sealed: Uint8Array
  readonly created_at: Date
}

export async function findOverlap(sql: Sql, scope: EmpresaScope, caf: NewCaf): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`
    select ${COLUMNS} from caf
    where ${owned(scope)} and ambiente = ${caf.ambiente} and tipo_dte = ${caf.tipo_dte}
      and to_folio >= ${caf.from_folio} and from_folio <= ${caf.to_folio}
    order by from_folio limit 1`
  return row ?? null
}

export async function insertCaf(sql: Sql, scope: EmpresaScope, caf: NewCaf): Promise<CafRow> {
  const [row] = await sql<CafRow>`
    insert into caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio,
      authorised_on, expires_on, key_id, source, requested_by, sealed, created_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${caf.id}, ${caf.tipo_dte}, ${caf.ambiente},
      ${caf.from_folio}, ${caf.to_folio}, ${caf.from_folio}, ${caf.authorised_on}, ${caf.expires_on}, ${caf.key_id},
      ${caf.source}, ${caf.requested_by}, ${caf.sealed}, ${caf.created_at})
    returning ${COLUMNS}`
  return row as CafRow
}

export async function findCaf(sql: Sql, scope: EmpresaScope, id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${owned(scope)} and id = ${id}`
  return row ?? null
}

export async function findRequested(sql: Sql, scope: EmpresaScope, job_id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${owned(scope)} and requested_by = ${job_id}`
  return row ?? null
}

export async function lockCaf(sql: Sql, scope: EmpresaScope, id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${owned(scope)} and id = ${id} for no key update`
  return row ?? null
}

export async function findSealed(sql: Sql, scope: EmpresaScope, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }>`select sealed from caf where ${owned(scope)} and id = ${id}`
  return row?.sealed ?? null
}

export async function listCafs(
  sql: Sql,
  scope: EmpresaScope,
  filter: { tipo_dte?: number; status?: string; before: string | null; take: number },
): Promise<CafRow[]> {
  return sql<CafRow>`
    select ${COLUMNS} from caf where ${owned(scope)}
      ${filter.tipo_dte === undefined ? nothing : part`and tipo_dte = ${filter.tipo_dte}`}
      ${filter.status === undefined ? nothing : part`and status = ${filter.status}`}
      ${filter.before === null ? nothing : part`and id < ${filter.before}`}
    order by id desc limit ${filter.take}`
}

export async function noteDeactivated(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`update caf set deactivated_at = ${at} where ${owned(scope)} and id = ${id}`
}

/** Notes that the end of a range was told on a day; false when it was told already. */
export async function noteExpiryTold(sql: Sql, scope: EmpresaScope, id: string, on: string): Promise<boolean> {
  const told = await sql`
    update caf set expiry_told_on = ${on} where ${owned(scope)} and id = ${id} and expiry_told_on is distinct from ${on}::date
    returning id`
  return told.length > 0
}

/** Whether a job is the one that was asked for under this mark, and not an earlier one in its place. */
export async function isJobOf(sql: Sql, scope: EmpresaScope, job_id: string, asked_by: string): Promise<boolean> {
  const [row] = await sql<{ own: boolean }>`
    select payload ->> 'asked_by' = ${asked_by} as own from job
    where id = ${job_id} and account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id}`
  return row?.own ?? false
}
