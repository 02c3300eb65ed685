import { suggestGiro } from './giro.ts'
import type { Contribuyente } from './schema.ts'

export interface ActivityRow {
  readonly code: string
  readonly description: string | null
  readonly started_on: string | null
  readonly affects_iva: boolean | null
  readonly category: string | null
}

export interface AddressRow {
  readonly street: string | null
  readonly number: string | null
  readonly block: string | null
  readonly apartment: string | null
  readonly villa: string | null
  readonly city: string | null
  readonly comuna: string | null
  readonly region: string | null
}

export interface ContribuyenteRow {
  readonly legal_name: string
  readonly started_on: string | null
  readonly ended_on: string | null
  readonly published_at: Date
  readonly activities: readonly ActivityRow[] | null
  readonly address: AddressRow | null
}

/** `CALLE NUNOA 123, BLOQUE B, DEPTO 45, VILLA SUR`: one line, as it would be written on an envelope. */
function streetOf(address: AddressRow): string | null {
  const { street, number, block, apartment, villa } = address
  const door = [street, number].filter((part) => part !== null).join(' ')
  const parts = [door, block && `BLOQUE ${block}`, apartment && `DEPTO ${apartment}`, villa]
  return parts.filter((part) => part !== null && part !== '').join(', ') || null
}

/** Codes have six digits, whoever opened the file in a spreadsheet before; and one may stand there more than once. */
function distinct(activities: readonly ActivityRow[]): ActivityRow[] {
  const whole = activities.map((activity) => ({ ...activity, code: activity.code.padStart(6, '0') }))
  return whole.filter(({ code }, i) => whole.findIndex((other) => other.code === code) === i)
}

export function showContribuyente(rut: string, row: ContribuyenteRow): Contribuyente {
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
