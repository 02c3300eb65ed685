import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { periodsRead } from '../../tax/rcv/payable.ts'
import { providerIn } from './providers.ts'
import type { WithdrawnBecause } from './schema.ts'
import { type IssuedByHand, listIssuedByHand, listSellers } from './store.ts'

/** A payment to a provider abroad. */
export interface ProviderPayment {
  readonly period: string
  readonly provider: string
  /** In pesos; null where it is not known. */
  readonly pesos: number | null
}

export interface WithdrawReason {
  readonly withdrawn_because: WithdrawnBecause
  /** The 46 that was issued for it. */
  readonly document_id: string | null
}

/** The documents of some months that payments abroad may already have. */
export class Documented {
  readonly read: ReadonlySet<string>
  readonly #sellers: ReadonlySet<string>
  readonly #issued: IssuedByHand[]

  constructor(read: ReadonlySet<string>, sellers: ReadonlySet<string>, issued: readonly IssuedByHand[]) {
    this.read = read
    this.#sellers = sellers
    this.#issued = [...issued]
  }

  /** Why a payment needs no 46; null when it does. Each 46 that somebody issued by hand covers one payment. */
  by({ period, provider, pesos }: ProviderPayment): WithdrawReason | null {
    if (this.#sellers.has(`${period} ${provider}`)) return { withdrawn_because: 'dte_in_register', document_id: null }
    const place = this.#issued.findIndex(
      (one) => one.period === period && one.net === pesos && providerIn(one.name)?.key === provider,
    )
    if (place < 0) return null
    const [issued] = this.#issued.splice(place, 1)
    return { withdrawn_because: 'already_issued', document_id: issued?.id ?? null }
  }
}

export async function documentedIn(sql: Sql, scope: EmpresaScope, months: Iterable<string>): Promise<Documented> {
  const periods = [...new Set(months)]
  const sellers = await listSellers(sql, scope, periods)
  const known = sellers.flatMap(({ period, name }) => {
    const provider = providerIn(name)
    return provider ? [`${period} ${provider.key}`] : []
  })
  const read = await periodsRead(sql, scope, periods)
  return new Documented(read, new Set(known), await listIssuedByHand(sql, scope, periods))
}
