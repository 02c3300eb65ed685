import type { Business, BusinessDocument, Product } from '@timbre/certification'
import type { DteDraft, Item, Receptor } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, type TipoDte } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { isNobody, knownCounterparties } from '../counterparty/lookup.ts'
import { latestDrafts } from '../document/latest-drafts.ts'

/** Notes repeat the lines of others; what is received tells what suppliers sell. */
const TELLING: readonly TipoDte[] = [33, 34, 39, 41, 46, 52]
const OF_EACH_TIPO = 50
const COUNTERPARTIES = 100

/**
 * What the empresa does, from documents that it issued in production, with its address book and the products that its
 * people named. Documents of an environment without effect are invented by definition and tell nothing.
 */
export async function businessOf(sql: Sql, scope: EmpresaScope, products: readonly Product[] = []): Promise<Business> {
  if (MODES[scope.mode].ambiente_when_emitting !== 'produccion') return { documents: [], counterparties: [], products }
  const drafts = await latestDrafts(sql, scope, TELLING, OF_EACH_TIPO)
  const rows = await knownCounterparties(sql, scope, COUNTERPARTIES)
  const counterparties = rows.flatMap(({ rut, legal_name, giro, street, comuna, city }) =>
    legal_name === null || giro === null || street === null || comuna === null
      ? []
      : [{ rut, legal_name, giro, address: { street, comuna, ...(city === null ? {} : { city }) } }],
  )
  return { documents: drafts.flatMap(reduce), counterparties, products }
}

function reduce({ tipo_dte, receptor, items, gross_prices, dispatch }: DteDraft): BusinessDocument[] {
  const products = items.flatMap(productOf)
  if (products.length === 0) return []
  const { transfer_type } = dispatch ?? {}
  return [
    {
      tipo_dte,
      receptor: named(receptor),
      items: products,
      ...(gross_prices === undefined ? {} : { gross_prices }),
      ...(transfer_type === undefined ? {} : { transfer_type }),
    },
  ]
}

/** Who they are, and not how they are reached: nothing is sent to them. */
function named({ rut, legal_name, giro, address }: Receptor): Receptor {
  return isNobody(rut) ? { rut: ANONYMOUS_RUT } : { rut, legal_name, giro, address }
}

/** Discounts are left out: prices are those of the list. Deposits and the like are not sold. */
function productOf({ description, quantity, unit, unit_price, exempt, billing, additional_tax }: Item): Product[] {
  if (billing !== undefined || unit_price === undefined || unit_price <= 0) return []
  return [
    {
      description,
      unit_price,
      ...(quantity === undefined ? {} : { quantity }),
      ...(unit === undefined ? {} : { unit }),
      ...(exempt === undefined ? {} : { exempt }),
      ...(additional_tax === undefined ? {} : { additional_tax }),
    },
  ]
}
