import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import type { Contribuyente, ContribuyentePath } from './schema.ts'
import { showContribuyente } from './show.ts'
import { readNomina } from './store.ts'

/** Looks a legal entity up in the published nómina. Natural persons are not published: to us they do not exist. */
export async function lookUpContribuyente(ctx: AccountContext, { rut }: ContribuyentePath): Promise<Contribuyente> {
  const row = await readNomina(ctx.sql, Number(rut.slice(0, -2)))
  if (!row) throw new Problem('contribuyentes_unavailable')
  const { legal_name } = row
  if (legal_name === null) throw new Problem('contribuyente_not_found')
  return showContribuyente(rut, { ...row, legal_name })
}
