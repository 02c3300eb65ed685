import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { providerIn } from './providers.ts'
import { type IssuedByHand, issuedByHand, monthsRead, sellersIn } from './register-store.ts'
import type { WithdrawnBecause } from './schema.ts'

/** A payment to a provider, and whatever documents it already. */
export interface ProviderPayment {
  readonly period: string
  readonly provider: string
  /** In pesos; null where it is not known. */
  readonly pesos: number | null
}

export interface Why {
  readonly withdrawn_because: WithdrawnBecause
  /** The 46 that was issued for it. */
  readonly document_id: string | null
}

/** What is known of the documents of some months. */
export class Documented {
  readonly read: ReadonlySet<string>
  readonly #sellers: ReadonlySet<string>
  readonly #issued: IssuedByHand[]

  constructor(read: ReadonlySet<string>, sellers: ReadonlySet<string>, issued: readonly IssuedByHand[]) {
    this.read = read
    this.#sellers = sellers
    this.#issued = [...issued]
  }

  /** Why a payment calls for no 46; null when it does. A 46 that somebody issued stands for one payment. */
  by({ period, provider, pesos }: ProviderPayment): Why | null {
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
  const sellers = await sellersIn(sql, scope, periods)
  const known = sellers.flatMap(({ period, name }) => {
    const provider = providerIn(name)
    return provider ? [`${period} ${provider.key}`] : []
  })
  const read = await monthsRead(sql, scope, periods)
  return new Documented(read, new Set(known), await issuedByHand(sql, scope, periods))
}
