import { tiposOf } from '@timbre/dte/values'
import { type Fragment, integers, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Days } from '../../issuing/document/payable.ts'

const FACTURAS_DE_COMPRA = integers(tiposOf('factura_de_compra'))

const DATE = part`coalesce(e.issue_date, (e.period || '-01')::date) as date`
// The columns of a PayableRow.
const PAYABLE = part`e.id, e.tipo_doc as tipo, e.folio, ${DATE}, e.total, e.counterparty_rut as rut,
  e.counterparty_name as name,
  case when e.withdrawn_at_sii is not null then 'withdrawn_at_sii' else e.estado_contable end as status,
  e.reference_tipo_doc::integer as about, e.total as pending`
// Purchases that the register alone knows: their document is neither ours nor received.
const ALONE = part`e.side = 'purchase' and e.folio is not null and e.document_id is null
  and e.received_document_id is null and e.withdrawn_at_sii is null`

/** Selects purchases that the register alone knows and a movement may pay. */
export function payableEntries(scope: EmpresaScope, { from, to }: Days): Fragment {
  return part`select ${PAYABLE} from rcv_entry e
    where ${ownedBy(scope, 'e')} and ${ALONE} and e.period >= ${from.slice(0, 7)} and e.period <= ${to.slice(0, 7)}
      and e.estado_contable <> 'RECLAMADO'`
}

/** Selects purchases by their ids, payable or not. */
export function payableEntriesById(scope: EmpresaScope, ids: readonly string[]): Fragment {
  return part`select ${PAYABLE} from rcv_entry e where e.side = 'purchase' and e.id = any(${ids}::text[]) and ${ownedBy(scope, 'e')}`
}

/** Selects `date, total, rut` of the purchases of some months that the register alone knows. */
export function entriesAlone(scope: EmpresaScope, periods: readonly string[]): Fragment {
  return part`select distinct ${DATE}, e.total, e.counterparty_rut as rut from rcv_entry e
    where ${ownedBy(scope, 'e')} and ${ALONE} and e.period = any(${periods}::text[])`
}

/** Selects `id, received_document_id` of entries whose document is here. */
export const ENTRIES_RECEIVED = part`select e.id, e.received_document_id from rcv_entry e
  where e.received_document_id is not null`

/**
 * Selects `period, name` of everybody in the register of purchases of some months. Facturas de compra, and notas about
 * one, are ours: they say nothing of what the seller issued.
 */
export function sellersIn(scope: EmpresaScope, periods: readonly string[]): Fragment {
  return part`select distinct e.period, e.counterparty_name as name from rcv_entry e
    where ${ownedBy(scope, 'e')} and e.side = 'purchase' and e.period = any(${periods}::text[]) and e.withdrawn_at_sii is null
      and e.counterparty_name is not null and e.tipo_doc not in ${FACTURAS_DE_COMPRA}
      and coalesce(e.reference_tipo_doc, 0) not in ${FACTURAS_DE_COMPRA}`
}

/** Months whose register was read at least once. */
export async function periodsRead(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  periods: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ period: string }>`
    select period from rcv_sync
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and period = any(${periods}::text[]) and last_synced_at is not null`
  return new Set(rows.map(({ period }) => period))
}
