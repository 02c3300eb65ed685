import { Problem } from '../../../kernel/problem.ts'
import type { GrantLimits } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { addSpent, grantDay, readSpent } from './store.ts'

/** An amount that an agent is about to commit an empresa to. */
export interface Charge {
  /** Absent where no document is issued, as for a cesión or a payment that is recorded. */
  readonly tipo_dte?: number
  /** Whom it concerns: the receptor of a document, the cesionario of a cesión, whoever pays or is paid. */
  readonly rut: string
  /** Pesos, whatever the direction they flow in: a nota de crédito counts by its total too. */
  readonly amount: number
}

type ChargeContext = Pick<EmpresaContext, 'sql' | 'caller'>

function exceeded(limit: keyof GrantLimits, asked: number | string, left: unknown): Problem {
  return new Problem('agent_limit_exceeded', { details: { limit, asked, left } })
}

function refuseBeyond(limits: GrantLimits, { tipo_dte, rut, amount }: Charge): void {
  const { tipos, receptores, max_clp_per_document } = limits
  if (tipos && tipo_dte !== undefined && !tipos.includes(tipo_dte)) throw exceeded('tipos', tipo_dte, tipos)
  if (receptores && !receptores.includes(rut)) throw exceeded('receptores', rut, receptores)
  if (max_clp_per_document !== null && amount > max_clp_per_document) {
    throw exceeded('max_clp_per_document', amount, max_clp_per_document)
  }
}

/** Refuses what chargeAgent would refuse, and counts nothing: for previews. */
export async function checkCharge({ sql, caller }: ChargeContext, charge: Charge): Promise<void> {
  if (caller.kind !== 'agent') return
  refuseBeyond(caller.limits, charge)
  const cap = caller.limits.max_clp_per_day
  if (cap === null) return
  const left = Math.max(0, cap - (await readSpent(sql, caller.credential_id, grantDay())))
  if (charge.amount > left) throw exceeded('max_clp_per_day', charge.amount, left)
}

/**
 * Holds an agent to its limits and counts what it spends, inside the transaction that makes the document: a rollback
 * counts nothing, and of two at once the second waits for what the first one leaves under the cap.
 */
export async function chargeAgent({ sql, caller }: ChargeContext, charge: Charge): Promise<void> {
  if (caller.kind !== 'agent') return
  const { credential_id: grant_id, limits } = caller
  refuseBeyond(limits, charge)
  const day = grantDay()
  const cap = limits.max_clp_per_day
  if (await addSpent(sql, { grant_id, day, amount: charge.amount, cap })) return
  const left = Math.max(0, (cap ?? 0) - (await readSpent(sql, grant_id, day)))
  throw exceeded('max_clp_per_day', charge.amount, left)
}
