import { ID_PREFIXES } from '../../../catalog/ids.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { DAY_SECONDS } from '../../../catalog/time.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { CursorSeal } from '../../../kernel/cursor-seal.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { BaseContext } from '../../context.ts'
import { reachAnyEmpresa } from '../empresa/scope.ts'
import { type Checkout, readCheckout } from './store.ts'

/** What the address of a checkout page is made with. */
export interface CheckoutMaker {
  readonly ports: { readonly cursors: CursorSeal }
  readonly addresses: Pick<BaseContext['addresses'], 'public_url'>
}

const DAY_CHARS = 4
const today = () => Math.floor(systemNow() / 1000 / DAY_SECONDS)
const dayText = (day: number) => day.toString(36).padStart(DAY_CHARS, '0')
const marked = (empresa: string, day: string) => `checkout ${empresa} ${day}`

/**
 * The page where a person subscribes an empresa. A refusal and a read write nothing, so its address is no row: it names the
 * empresa and the day it ends on under a mark that only we make. The same all day long; it ends by itself, and at once
 * when the master key is replaced.
 */
export function checkoutUrl({ ports, addresses }: CheckoutMaker, empresa_id: string): string {
  const empresa = empresa_id.slice(ID_PREFIXES.empresa.length)
  const day = dayText(today() + RETENTION.checkout_page_days)
  return `${addresses.public_url}/suscripcion/${empresa}${day}${ports.cursors.mark(marked(empresa, day))}`
}

const SLUG = /^([0-9a-z]{26})([0-9a-z]{4})([\w-]{22})$/

/** An empresa as its checkout page tells of it. */
export interface CheckoutPage extends Checkout {
  readonly scope: EmpresaScope
  readonly hash: string
}

/** Null for an address that we did not make, that has ended, or whose empresa is over: a stranger cannot tell which. */
export async function openCheckout(sql: Sql, cursors: CursorSeal, slug: string): Promise<CheckoutPage | null> {
  const [, empresa = '', day = '', mark = ''] = SLUG.exec(slug) ?? []
  if (!cursors.fits(marked(empresa, day), mark) || Number.parseInt(day, 36) <= today()) return null
  const scope = await reachAnyEmpresa(sql, ID_PREFIXES.empresa + empresa)
  const checkout = await readCheckout(sql, scope)
  if (!checkout || checkout.empresa_status === 'archived') return null
  return { scope, hash: hashSecret(slug).toString('hex'), ...checkout }
}
