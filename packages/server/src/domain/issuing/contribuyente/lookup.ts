import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { suggestGiro } from './giro.ts'
import type { Contribuyente, ContribuyentePath } from './schema.ts'
import { type ActivityRow, type AddressRow, type ContribuyenteRow, findInNomina } from './store.ts'

/** Looks a legal entity up in the published nómina. Natural persons are not published: to us they do not exist. */
export async function lookUpContribuyente(ctx: AccountContext, { rut }: ContribuyentePath): Promise<Contribuyente> {
  const row = await findInNomina(ctx.sql, Number(rut.slice(0, -2)))
  if (!row) throw new Problem('contribuyentes_unavailable')
  const { legal_name } = row
  if (legal_name === null) throw new Problem('contribuyente_not_found')
  return showContribuyente(rut, { ...row, legal_name })
}

/** `CALLE NUNOA 123, BLOQUE B, DEPTO 45, VILLA SUR`: one line, as it would be written on an envelope. */
function streetOf(address: AddressRow): string | null {
  const { street, number, block, apartment, villa } = address
  const house = [street, number].filter((part) => part !== null).join(' ')
  const parts = [house, block && `BLOQUE ${block}`, apartment && `DEPTO ${apartment}`, villa]
  return parts.filter((part) => part !== null && part !== '').join(', ') || null
}

/** A spreadsheet on the way may have cut the leading zeros of a code; and a code may be listed more than once. */
function distinct(activities: readonly ActivityRow[]): ActivityRow[] {
  const whole = activities.map((activity) => ({ ...activity, code: activity.code.padStart(6, '0') }))
  return whole.filter(({ code }, i) => whole.findIndex((other) => other.code === code) === i)
}

function showContribuyente(rut: string, row: ContribuyenteRow & { readonly legal_name: string }): Contribuyente {
  const activities = distinct(row.activities ?? [])
  const giro = suggestGiro(activities)
  const { address } = row
  return {
    object: 'contribuyente',
    id: rut,
    rut,
    legal_name: row.legal_name,
    started_on: row.started_on,
    ended_on: row.ended_on,
    activities,
    suggested_giro: giro?.text ?? null,
    basis: giro?.basis ?? null,
    address: address && {
      street: streetOf(address),
      comuna: address.comuna,
      city: address.city,
      region: address.region,
    },
    source: { published_at: row.published_at.toISOString() },
  }
}
