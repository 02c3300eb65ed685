import type { EmpresaContext } from '../../kernel/context.ts'
import type { BankLink } from '../../ports/bank.ts'
import { keepLinked } from './link.ts'
import type { Connection, ConnectionPath } from './schema.ts'
import { showConnection } from './show.ts'

/** What the widget gave becomes a link. */
export async function exchangeToken(
  ctx: EmpresaContext,
  { connection_id, link }: ConnectionPath & { link: BankLink },
): Promise<Connection> {
  return showConnection(await keepLinked(ctx, connection_id, link))
}
