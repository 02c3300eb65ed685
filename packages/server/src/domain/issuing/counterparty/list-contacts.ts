import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { listContactRows } from './contact-store.ts'
import { findCounterparty } from './find.ts'
import type { Contact, CounterpartyPath } from './schema.ts'
import { showContact } from './show.ts'

export async function listContacts(
  ctx: EmpresaContext,
  input: CounterpartyPath & PageInput,
): Promise<ListPage<Contact>> {
  const { sql, empresa } = ctx
  const { counterparty_rut } = input
  if (!(await findCounterparty(sql, empresa, counterparty_rut))) throw new Problem('counterparty_not_found')
  const filters = { empresa_id: empresa.empresa_id, counterparty_rut }
  const fetch = (page: { before: string | null; take: number }) => listContactRows(sql, empresa, counterparty_rut, page)
  return pageById('contacts', filters, input, fetch, showContact)
}
