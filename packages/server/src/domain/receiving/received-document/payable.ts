import { SELLER_TIPOS } from '@timbre/dte/values'
import { type Fragment, integers, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Days } from '../../issuing/document/payable.ts'

const PAYABLE_TIPOS = integers(SELLER_TIPOS)

// The columns of a PayableRow.
const PAYABLE = part`r.id, r.tipo_dte as tipo, r.folio, r.issue_date as date, r.total, r.emisor_rut as rut,
  r.emisor_name as name, r.status, null::integer as about,
  greatest(0, r.total - r.credited_amount - r.paid_amount) as pending`

/** Selects documents of suppliers that a movement may pay. */
export function payableReceived(scope: EmpresaScope, { from, to }: Days): Fragment {
  return part`select ${PAYABLE} from received_document r
    where ${ownedBy(scope, 'r')} and r.issue_date >= ${from} and r.issue_date <= ${to}
      and r.tipo_dte in ${PAYABLE_TIPOS} and r.status <> 'rejected'
      and r.paid_amount < r.total`
}

/** Selects documents of suppliers by their ids, payable or not. */
export function payableReceivedById(scope: EmpresaScope, ids: readonly string[]): Fragment {
  return part`select ${PAYABLE} from received_document r where r.id = any(${ids}::text[]) and ${ownedBy(scope, 'r')}`
}

/** Selects `period, name` of everybody who sent a document in some months. */
export function sendersIn(scope: EmpresaScope, periods: readonly string[]): Fragment {
  return part`select p.period, r.emisor_name from unnest(${periods}::text[]) as p (period)
    join received_document r on ${ownedBy(scope, 'r')} and r.issue_date >= (p.period || '-01')::date
      and r.issue_date < ((p.period || '-01')::date + interval '1 month')::date`
}
