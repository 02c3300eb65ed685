import { SUMMARIZED_TIPOS } from '../../catalog/rcv.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type { SandboxEntry } from './rcv-csv.ts'

interface Days {
  readonly from: string
  readonly before: string
}

const PLAIN = {
  acknowledged_at: null,
  claimed_at: null,
  iva_not_recoverable: 0,
  iva_not_recoverable_code: null,
  iva_common_use: 0,
  iva_fixed_assets: 0,
  net_fixed_assets: 0,
  other_taxes: [],
  documents: 1,
  reference_tipo_doc: null,
  reference_folios: [],
} as const
const AS_SALE = { side: 'sale', estado_contable: null, tipo_compra: null, tipo_venta: 1 } as const
const AS_PURCHASE = { side: 'purchase', estado_contable: 'REGISTRO', tipo_compra: 1, tipo_venta: null } as const

type Amounts = Pick<SandboxEntry, 'net' | 'exempt' | 'iva' | 'total'>

interface Issued extends Amounts {
  readonly tipo_doc: number
  readonly folio: number
  readonly counterparty_rut: string
  readonly counterparty_name: string | null
  readonly issue_date: string
  readonly sent_at: Date | null
  readonly refers_to: number | null
  readonly refers_folio: string | null
}

const FACTURA_DE_COMPRA = 46
/** Guías are in no register. */
const ISSUED_TIPOS = [33, 34, 46, 56, 61]

function asEntry({ sent_at, refers_to, refers_folio, ...row }: Issued): SandboxEntry {
  // A factura de compra, and a nota about one, is a purchase of the empresa that issues it.
  const bought = row.tipo_doc === FACTURA_DE_COMPRA || refers_to === FACTURA_DE_COMPRA
  return {
    ...PLAIN,
    ...(bought ? AS_PURCHASE : AS_SALE),
    ...row,
    received_at: sent_at?.toISOString() ?? null,
    reference_tipo_doc: refers_to,
    reference_folios: refers_folio === null ? [] : [refers_folio],
  }
}

/** What the empresa issued and the SII took: sales one by one, boletas by the month, facturas de compra as purchases. */
export async function issuedEntries(sql: Sql, empresa: EmpresaScope, { from, before }: Days): Promise<SandboxEntry[]> {
  const { account_id, empresa_id, mode } = empresa
  const single = await sql<Issued>`
    select tipo_dte as tipo_doc, folio, receptor_rut as counterparty_rut,
      draft #>> '{receptor,legal_name}' as counterparty_name, issue_date, sent_at, net, exempt, iva, total,
      case when draft #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
        then (draft #>> '{references,0,tipo_dte}')::integer end as refers_to,
      draft #>> '{references,0,folio}' as refers_folio
    from document where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and issue_date >= ${from} and issue_date < ${before} and status in ('accepted', 'reparo', 'annulled')
      and tipo_dte = any(${ISSUED_TIPOS}::smallint[]) order by tipo_dte, folio`
  const months = await sql<Amounts & { tipo_doc: number; documents: number }>`
    select tipo_dte as tipo_doc, count(*)::integer as documents, sum(net)::bigint as net, sum(exempt)::bigint as exempt,
      sum(iva)::bigint as iva, sum(total)::bigint as total
    from document where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and issue_date >= ${from} and issue_date < ${before} and status in ('accepted', 'reparo', 'annulled')
      and tipo_dte = any(${SUMMARIZED_TIPOS}::smallint[]) group by tipo_dte`
  const summaries = months.map((month) => ({
    ...PLAIN,
    ...AS_SALE,
    ...month,
    folio: null,
    counterparty_rut: null,
    counterparty_name: null,
    issue_date: from,
    received_at: null,
  }))
  return [...single.map(asEntry), ...summaries]
}

interface Received extends Amounts {
  readonly tipo_doc: number
  readonly folio: number
  readonly counterparty_rut: string
  readonly counterparty_name: string
  readonly issue_date: string
  readonly status: string
  readonly receipt_status: string | null
  readonly payment_form: string | null
  readonly sii_received_at: Date
  readonly answered_at: Date | null
  readonly acknowledged_at: Date | null
}

/** Only what is sold on credit with IVA waits for its receptor (Ley 19.983, art. 3 and D.L. 825, art. 23 no. 7). */
function estadoOf(row: Received): NonNullable<SandboxEntry['estado_contable']> {
  const { status, receipt_status, payment_form, tipo_doc } = row
  if (status === 'rejected') return 'RECLAMADO'
  const answered = status !== 'pending' || receipt_status === 'acknowledged'
  return answered || payment_form === 'cash' || tipo_doc === 34 ? 'REGISTRO' : 'PENDIENTE'
}

const RECEIVED_TIPOS = [33, 34, 43, 56, 61]

/** What suppliers issued to the empresa, where the answer to it put it. */
export async function receivedEntries(
  sql: Sql,
  empresa: EmpresaScope,
  { from, before }: Days,
): Promise<SandboxEntry[]> {
  const rows = await sql<Received>`
    select tipo_dte as tipo_doc, folio, emisor_rut as counterparty_rut, emisor_name as counterparty_name, issue_date,
      status, receipt_status, payment_form, sii_received_at, answered_at, acknowledged_at, net, exempt, iva, total
    from received_document where account_id = ${empresa.account_id} and empresa_id = ${empresa.empresa_id}
      and mode = ${empresa.mode} and issue_date >= ${from} and issue_date < ${before}
      and tipo_dte = any(${RECEIVED_TIPOS}::smallint[]) order by emisor_rut, tipo_dte, folio`
  return rows.map((row) => {
    const { status, receipt_status, payment_form, sii_received_at, answered_at, acknowledged_at, ...own } = row
    const estado_contable = estadoOf(row)
    const answered = acknowledged_at ?? answered_at
    return {
      ...PLAIN,
      ...AS_PURCHASE,
      ...own,
      received_at: sii_received_at.toISOString(),
      estado_contable,
      acknowledged_at: estado_contable === 'REGISTRO' ? (answered?.toISOString() ?? null) : null,
      claimed_at: estado_contable === 'RECLAMADO' ? (answered_at?.toISOString() ?? null) : null,
    }
  })
}
