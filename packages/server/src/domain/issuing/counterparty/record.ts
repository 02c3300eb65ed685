import { checkText } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { contactsOf } from './contact-store.ts'
import { FIELDS, type Field, sourceOf } from './learn.ts'
import type { Counterparty, CounterpartyPath, PatchCounterparty } from './schema.ts'
import { type CounterpartyRow, showCounterparty } from './show.ts'
import { holdCounterparty, writeCounterparty } from './store.ts'

type Recorded = Pick<CounterpartyRow, Field>

const PARAMS = {
  legal_name: 'legal_name',
  giro: 'giro',
  street: 'address.street',
  comuna: 'address.comuna',
  city: 'address.city',
} as const satisfies Record<keyof Recorded, string>

/** What a document could not carry is refused here, not when the document is due: never cut, never replaced. */
function refuseUnwritable(patch: Partial<Recorded>): void {
  for (const field of FIELDS) {
    const text = patch[field]
    const fault = text == null ? null : checkText(text, CEILINGS[field])
    if (fault) throw invalidField(PARAMS[field], `it ${fault.message}.`)
  }
}

function changesIn({ legal_name, giro, address }: PatchCounterparty): Partial<Recorded> {
  const place = address === null ? { street: null, comuna: null, city: null } : address
  const asked = { legal_name, giro, street: place?.street, comuna: place?.comuna, city: place?.city }
  const sent = Object.entries(asked).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as Partial<Recorded>
}

/** Writes down what the caller knows of a counterparty, made on the spot if it was not there. */
export async function recordCounterparty(
  ctx: EmpresaContext,
  input: CounterpartyPath & PatchCounterparty,
): Promise<Counterparty> {
  const { sql, empresa } = ctx
  const changes = changesIn(input)
  refuseUnwritable(changes)
  const before = await holdCounterparty(sql, empresa, input.counterparty_rut, ctx.now())
  const touched = FIELDS.some((field) => field in changes)
  // What the caller says is the caller's from now on, also where a document had said the same.
  const changed = { ...before, ...changes, inferred: before.inferred.filter((field) => !(field in changes)) }
  const after = touched ? { ...changed, source: sourceOf(changed), updated_at: ctx.now() } : before
  if (touched) await writeCounterparty(sql, empresa, after)
  return showCounterparty(after, await contactsOf(sql, empresa, [after.rut]))
}
