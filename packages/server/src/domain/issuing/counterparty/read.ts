import { printedRut } from '@timbre/dte/values'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { contactsOf } from './contact-store.ts'
import type { Counterparty, CounterpartyPath } from './schema.ts'
import { type ContactRow, type CounterpartyRow, showCounterparty } from './show.ts'
import { findCounterparty, listCounterparties as listRows } from './store.ts'

export async function readCounterparty(ctx: EmpresaContext, input: CounterpartyPath): Promise<Counterparty> {
  const row = await findCounterparty(ctx.sql, ctx.empresa, input.counterparty_rut)
  if (!row) throw new Problem('counterparty_not_found')
  return showCounterparty(row, await contactsOf(ctx.sql, ctx.empresa, [row.rut]))
}

/** As people tell counterparties apart. */
export const nameOfCounterparty = ({ legal_name, rut }: Pick<Counterparty, 'legal_name' | 'rut'>) =>
  legal_name === null ? printedRut(rut) : `${legal_name} (${printedRut(rut)})`

export async function listCounterparties(ctx: EmpresaContext, input: PageInput): Promise<ListPage<Counterparty>> {
  const { sql, empresa } = ctx
  let contacts: readonly ContactRow[] = []
  const fetch = async ({ before: after, take }: { before: string | null; take: number }) => {
    const rows = await listRows(sql, empresa, { after, take })
    contacts = await contactsOf(
      sql,
      empresa,
      rows.map(({ rut }) => rut),
    )
    return rows.map((row) => ({ id: row.rut, row }))
  }
  const filters = { empresa_id: empresa.empresa_id }
  const show = ({ row }: { row: CounterpartyRow }) => {
    const own = contacts.filter((contact) => contact.counterparty_rut === row.rut)
    return showCounterparty(row, own)
  }
  return pageById(ctx, 'counterparties', filters, input, fetch, show)
}
