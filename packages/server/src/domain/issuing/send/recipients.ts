import { ANONYMOUS_RUT } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { mailbox, mailboxesOf, optedOutOf } from '../counterparty/lookup.ts'
import type { DocumentRow } from '../document/show.ts'
import type { SendDocument } from './schema.ts'

/** Two spellings of one mailbox get one letter. */
function mailboxes(to: string | readonly string[]): string[] {
  return [...new Set((typeof to === 'string' ? [to] : to).map(mailbox))]
}

/** The addresses the caller named; refused when one of them opted out. */
async function namedRecipients(sql: Sql, scope: EmpresaScope, to: string | readonly string[]): Promise<string[]> {
  const named = mailboxes(to)
  const refused = await optedOutOf(sql, scope, named)
  if (refused.size === 0) return named
  const at = typeof to === 'string' ? -1 : to.findIndex((one) => refused.has(mailbox(one)))
  throw new Problem('recipient_opted_out', { param: at < 0 ? 'to' : `to[${at}]` })
}

export interface ChosenRecipients {
  readonly to: readonly string[]
  /** Whether somebody was left out because they opted out. */
  readonly opted_out: boolean
}

/**
 * The recipients of each document when the caller names none: the e-mail on it, or else the contacts of its receptor,
 * the primary one first, without those who opted out. Two statements, however many documents.
 */
export async function chooseRecipients(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly Pick<DocumentRow, 'id' | 'draft'>[],
): Promise<Map<string, ChosenRecipients>> {
  const ruts = rows.map(({ draft }) => draft.receptor.rut).filter((rut) => rut !== ANONYMOUS_RUT)
  const contacts = await mailboxesOf(sql, scope, [...new Set(ruts)])
  const places = rows.map(({ id, draft }) => {
    const { rut, email } = draft.receptor
    return { id, own: email === undefined ? [] : [mailbox(email)], contacts: contacts.get(rut) ?? [] }
  })
  const everyone = [...new Set(places.flatMap((place) => [...place.own, ...place.contacts]))]
  const refused = await optedOutOf(sql, scope, everyone)
  const wanting = (emails: readonly string[]) => emails.filter((email) => !refused.has(email))
  return new Map(
    places.map(({ id, own, contacts: others }) => {
      const first = wanting(own)
      const to = first.length > 0 ? first : wanting(others).slice(0, CEILINGS.send_recipients)
      return [id, { to, opted_out: [...own, ...others].some((email) => refused.has(email)) }]
    }),
  )
}

/** The recipients of a request, or the reason why it has none. */
export async function recipientsOf(
  sql: Sql,
  scope: EmpresaScope,
  row: DocumentRow,
  { to }: SendDocument,
): Promise<readonly string[]> {
  if (to !== undefined) return namedRecipients(sql, scope, to)
  const chosen = (await chooseRecipients(sql, scope, [row])).get(row.id)
  if (chosen && chosen.to.length > 0) return chosen.to
  throw new Problem(chosen?.opted_out ? 'recipient_opted_out' : 'recipient_missing', { param: 'to' })
}
