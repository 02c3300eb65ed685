import type { Sql } from '../../../kernel/db.ts'
import { findMailbox } from './store.ts'

/** One address and nothing else: the list is written by the taxpayers themselves. */
const ADDRESS = /^[^\s@<>(),;:"[\]\\]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** Where the SII says that a taxpayer receives documents, or null. */
export async function exchangeMailboxOf(sql: Sql, rut: string): Promise<string | null> {
  const email = (await findMailbox(sql, Number(rut.slice(0, -2))))?.trim().toLowerCase() ?? ''
  return email.length <= 254 && ADDRESS.test(email) ? email : null
}
