import { createHash } from 'node:crypto'
import type { MovementLine, MovementSource } from '../row.ts'

/** How often each line of a file occurred so far: two coffees on one day are two movements. */
export type Occurrences = Map<string, number>

/** An account as different files of one bank spell it: by its digits where it has enough of them. */
function accountKey(bank_account: string): string {
  const digits = bank_account.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : bank_account.trim().toUpperCase()
}

function contentKey(line: MovementLine): string {
  const description = line.description.replace(/\s+/g, ' ').trim().toUpperCase()
  const parts = [accountKey(line.bank_account), line.post_date, line.amount, line.currency, description]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/** The id that the bank gave, within its connection. */
export function externalKey(source: MovementSource, external_id: string): string {
  return `x:${source.id}:${external_id}`
}

/**
 * Identifies a line without an id of its bank: by its content and by how many equal ones came before it in the same file,
 * so that an overlapping file brings none of them again.
 */
export function occurrenceKey(line: MovementLine, seen: Occurrences): string {
  const key = contentKey(line)
  const occurrence = (seen.get(key) ?? 0) + 1
  seen.set(key, occurrence)
  return `h:${key}:${occurrence}`
}

/** Identifies a movement within its empresa. */
export function lineKey(source: MovementSource, line: MovementLine, seen: Occurrences): string {
  return line.external_id === null ? occurrenceKey(line, seen) : externalKey(source, line.external_id)
}
