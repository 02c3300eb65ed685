import { type ConnectPage, openConnectPage, widgetOf } from '../../domain/banking/connection/connect-page.ts'
import { completeLink, exchange } from '../../domain/banking/connection/link.ts'
import type { Answer } from '../../kernel/answer.ts'
import { nowOf } from '../../kernel/clock.ts'
import type { NewEvent } from '../../kernel/outbox.ts'
import { OwnerGone } from '../../kernel/owner.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Transactor } from '../../kernel/transactor.ts'
import { CONNECT_SCRIPT, chooseBankPage, connectedPage, notConnectedPage, widgetPage } from '../../pages/connect.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { type SharedLinkParts, sharedLinkRoute } from './shared-link.ts'

export interface ConnectRoutesParts extends SharedLinkParts {
  readonly ports: Ports
  readonly transactor: Transactor
}

function showPage({ ports }: ConnectRoutesParts, page: ConnectPage, path: string): Answer {
  const { page: provider } = ports.bank[page.scope.mode]
  if (provider.kind === 'choice') return chooseBankPage({ page, banks: provider.banks, path })
  const widget = widgetOf(ports.vault, page)
  return widget ? widgetPage({ page, widget, provider, path }) : notConnectedPage(path)
}

/** Exchanges the person's token for a link, as POST …/exchange does: the network first, then one transaction. */
async function connect(
  { sql: reading, ports, transactor }: ConnectRoutesParts,
  page: ConnectPage,
  exchange_token: string,
  { ip, request_id }: PlainRequest,
): Promise<void> {
  const { scope, connection_id, clock } = page
  const common = { ports, empresa: scope, now: () => nowOf(clock) }
  const link = await exchange({ ...common, sql: reading }, { connection_id, exchange_token })
  const { account_id, mode, empresa_id, rut } = scope
  await transactor.transact({ account_id, mode, empresa_id, clock }, async (sql, unit) => {
    const emit = (event: NewEvent) => unit.emit({ empresa: { id: empresa_id, rut }, ...event })
    await completeLink({ ...common, sql, emit, enqueue: unit.enqueue.bind(unit, sql) }, connection_id, link)
    unit.audit({
      account_id,
      mode,
      empresa: { id: empresa_id, rut },
      action: 'connections.exchange',
      subject: connection_id,
      actor: { kind: 'link', id: null, ip, request_id },
    })
  })
}

const TOKEN = /^[\x21-\x7e]{1,400}$/

async function submit(parts: ConnectRoutesParts, page: ConnectPage, request: PlainRequest): Promise<Answer> {
  const { form, params } = request
  const path = `/connect/${params.slug}`
  const { exchange_token = '' } = form
  if (!TOKEN.test(exchange_token)) return notConnectedPage(path)
  try {
    await connect(parts, page, exchange_token, request)
    return connectedPage(page)
  } catch (error) {
    if (error instanceof OwnerGone || (error instanceof Problem && error.status < 500)) return notConnectedPage(path)
    throw error
  }
}

/** The page on which a person links a bank. The slug in the path is the only credential: it lives half an hour and works once. */
export function connectRoutes(parts: ConnectRoutesParts): PlainRoute[] {
  const route = sharedLinkRoute(parts, openConnectPage)
  return [
    {
      path: '/connect/{slug}',
      answer: route(async (page, { params }) => showPage(parts, page, `/connect/${params.slug}`)),
    },
    { path: '/connect/{slug}', method: 'POST', answer: route((page, request) => submit(parts, page, request)) },
    { path: '/connect.js', answer: () => CONNECT_SCRIPT },
  ]
}
