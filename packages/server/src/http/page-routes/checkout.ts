import { type CheckoutPage, openCheckout } from '../../domain/platform/subscription/checkout.ts'
import { requestSubscription } from '../../domain/platform/subscription/request.ts'
import type { Answer } from '../../kernel/answer.ts'
import { REAL_TIME, systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Transactor } from '../../kernel/transactor.ts'
import { checkoutPage } from '../../pages/checkout.ts'
import type { Addresses, Ports } from '../../ports/ports.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { type SharedLinkParts, sharedLinkRoute } from './shared-link.ts'

export interface CheckoutRoutesParts extends SharedLinkParts {
  readonly ports: Ports
  readonly addresses: Addresses
  readonly transactor: Transactor
}

const now = () => new Date(systemNow())

async function request(parts: CheckoutRoutesParts, page: CheckoutPage): Promise<void> {
  const { ports, addresses, transactor } = parts
  await transactor.transact({ ...page.scope, clock: REAL_TIME }, (sql, unit) =>
    requestSubscription({ sql, now, ports, addresses, enqueue: unit.enqueue.bind(unit, sql) }, page),
  )
}

/** The page where a person subscribes an empresa. Opening it changes nothing: programs that preview links open all of them. */
export function checkoutRoutes(parts: CheckoutRoutesParts): PlainRoute[] {
  const { operator_email } = parts.addresses
  const open = (sql: Sql, slug: string) => openCheckout(sql, parts.ports.cursors, slug)
  const route = sharedLinkRoute(parts, open)
  const show = (page: CheckoutPage, { params }: PlainRequest): Answer =>
    checkoutPage({ page, path: `/suscripcion/${params.slug}`, operator_email, now: now() })
  return [
    { path: '/suscripcion/{slug}', answer: route(async (page, sent) => show(page, sent)) },
    {
      path: '/suscripcion/{slug}',
      method: 'POST',
      answer: route(async (page, sent) => {
        await request(parts, page)
        return show((await open(parts.sql, sent.params.slug ?? '')) ?? page, sent)
      }),
    },
  ]
}
