import type { BankLink } from '../../../ports/bank.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Asked, ask, toldBy } from './asked.ts'
import { exchange, keepLinked } from './link.ts'
import type { Connection, ConnectionPath, ExchangeToken } from './schema.ts'
import { showConnection } from './show.ts'

interface Exchanged {
  readonly link: Asked<BankLink>
}

export async function askForLink(ctx: EmpresaContext, input: ConnectionPath & ExchangeToken): Promise<Exchanged> {
  return { link: await ask(() => exchange(ctx, input)) }
}

/** What the widget gave becomes a link. */
export async function exchangeToken(
  ctx: EmpresaContext,
  { connection_id, link }: ConnectionPath & Exchanged,
): Promise<Connection> {
  return showConnection(await keepLinked(ctx, connection_id, toldBy(link)))
}
