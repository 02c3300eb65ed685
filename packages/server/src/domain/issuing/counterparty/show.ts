import type { Contact, Counterparty } from './schema.ts'

export interface CounterpartyRow {
  readonly rut: string
  readonly legal_name: string | null
  readonly giro: string | null
  readonly street: string | null
  readonly comuna: string | null
  readonly city: string | null
  readonly source: 'api' | 'document' | null
  /** Which of the fields were read off documents; the caller recorded the others. */
  readonly inferred: readonly string[]
  readonly created_at: Date
  readonly updated_at: Date
}

export interface ContactRow {
  readonly id: string
  readonly counterparty_rut: string
  readonly name: string | null
  readonly email: string
  readonly phone: string | null
  readonly is_primary: boolean
  readonly opted_out_at: Date | null
  readonly created_at: Date
}

export function showContact(row: ContactRow): Contact {
  return {
    object: 'counterparty_contact',
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    primary: row.is_primary,
    opted_out_at: row.opted_out_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

export function showCounterparty(row: CounterpartyRow, contacts: readonly ContactRow[]): Counterparty {
  const { rut, legal_name, giro, street, comuna, city, source } = row
  return {
    object: 'counterparty',
    id: rut,
    rut,
    legal_name,
    giro,
    address: street === null && comuna === null && city === null ? null : { street, comuna, city },
    source,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    contacts: contacts.map(showContact),
  }
}
