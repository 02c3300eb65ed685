import { checkText } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { contactsOf } from './contact-store.ts'
import { FIELDS, type Fields, sourceOf } from './merge.ts'
import type { Counterparty, CounterpartyPath, PatchCounterparty } from './schema.ts'
import { showCounterparty } from './show.ts'
import { lockCounterparty, updateCounterparty } from './store.ts'

const PARAMS = {
  legal_name: 'legal_name',
  giro: 'giro',
  street: 'address.street',
  comuna: 'address.comuna',
  city: 'address.city',
} as const satisfies Record<keyof Fields, string>

/** Refuses what a document could not carry now, not when the document is due: never cut, never replaced. */
function refuseUnwritable(patch: Partial<Fields>): void {
  mapOrRefuse(FIELDS, (field) => {
    const text = patch[field]
    const fault = text == null ? null : checkText(text, CEILINGS[field])
    if (fault) throw invalidField(PARAMS[field], `it ${fault.message}.`)
  })
}

function changesIn({ legal_name, giro, address }: PatchCounterparty): Partial<Fields> {
  const place = address === null ? { street: null, comuna: null, city: null } : address
  const fields = { legal_name, giro, street: place?.street, comuna: place?.comuna, city: place?.city }
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as Partial<Fields>
}

/** Records what the caller knows of a counterparty, inserted if it was not there. */
export async function recordCounterparty(
  ctx: EmpresaContext,
  input: CounterpartyPath & PatchCounterparty,
): Promise<Counterparty> {
  const { sql, empresa } = ctx
  const changes = changesIn(input)
  refuseUnwritable(changes)
  const before = await lockCounterparty(sql, empresa, input.counterparty_rut, ctx.now())
  const touched = FIELDS.some((field) => field in changes)
  // A field the caller sent counts as recorded from now on, also where a document had named the same.
  const changed = { ...before, ...changes, inferred: before.inferred.filter((field) => !(field in changes)) }
  const after = touched ? { ...changed, source: sourceOf(changed), updated_at: ctx.now() } : before
  if (touched) await updateCounterparty(sql, empresa, after)
  return showCounterparty(after, await contactsOf(sql, empresa, [after.rut]))
}
