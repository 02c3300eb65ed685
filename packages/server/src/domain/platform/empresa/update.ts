import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { purgeCertificate } from '../certificate/purge.ts'
import { purgeSfgCredential } from '../sfg-credential/sfg-credential.ts'
import { endSubscription } from '../subscription/record.ts'
import { checkDocTypes } from './channels.ts'
import { checkActeco, checkDates } from './create.ts'
import { rutHeldUntil } from './held-rut.ts'
import { empresaMachine } from './machine.ts'
import { readEmpresa } from './read.ts'
import { declareResolucion } from './resolucion.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa, UpdateEmpresa } from './schema.ts'
import { showEmpresa } from './show.ts'
import { findEmpresa, holdUnprovenRut, lockEmpresa, saveCustody, saveEmpresa, type WritableColumns } from './store.ts'

/** Emission and billing stop, history stays, and what stands in custody goes. There is no way back. */
async function archiveEmpresa(ctx: EmpresaContext, before: EmpresaRow): Promise<Empresa> {
  await purgeCertificate(ctx)
  await purgeSfgCredential(ctx)
  await saveCustody(ctx.sql, ctx.empresa, {
    certificate_until: null,
    certificate_refused: {},
    has_sfg_credential: false,
    sfg_refused_at: null,
  })
  await advance(ctx.sql, empresaMachine, ctx.empresa, before.id, 'archived')
  const row = (await findEmpresa(ctx.sql, ctx.empresa)) as EmpresaRow
  await holdUnprovenRut(ctx.sql, ctx.empresa, rutHeldUntil(ctx.now()))
  await endSubscription(ctx, ctx.empresa)
  const after = showEmpresa(row, ctx)
  const previous_attributes = previousAttributes(showEmpresa(before, ctx), after) ?? {}
  ctx.emit({ type: 'empresa.archived', object: after, previous_attributes })
  return after
}

/** A field that was not sent stays as it was; one sent as null is cleared. */
function sent<T>(value: T | undefined, before: T): T {
  return value === undefined ? before : value
}

function merged(row: EmpresaRow, input: UpdateEmpresa): WritableColumns {
  const address = input.address === null ? { street: null, comuna: null, city: null } : (input.address ?? {})
  const emission_channel = sent(input.emission_channel, row.emission_channel)
  const boletas = input.resolucion_boletas
  return {
    legal_name: sent(input.legal_name, row.legal_name),
    giro: sent(input.giro, row.giro),
    acteco: sent(input.acteco, row.acteco),
    street: sent(address.street, row.street),
    comuna: sent(address.comuna, row.comuna),
    city: sent(address.city, row.city),
    codigo_sucursal: sent(input.codigo_sucursal, row.codigo_sucursal),
    contact_email: sent(input.contact_email, row.contact_email),
    emission_channel,
    certification_track: sent(input.certification_track, row.certification_track),
    doc_types: checkDocTypes(emission_channel, sent(input.doc_types, row.doc_types)),
    origen: sent(input.origen, row.origen),
    resolucion_boletas_fecha: boletas === undefined ? row.resolucion_boletas_fecha : (boletas?.fecha ?? null),
  }
}

/** Saves the fields that were sent, with an event where anything changed. Archiving comes last: it is for good. */
export async function updateEmpresa(ctx: EmpresaContext, input: UpdateEmpresa): Promise<Empresa> {
  if (input.ambiente !== undefined) throw new Problem('field_not_writable', { param: 'ambiente' })
  checkActeco(input.acteco ?? [])
  checkDates(input, ctx.now())
  const before = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!before) throw new Problem('empresa_not_found')
  if (before.status !== 'active') throw new Problem('empresa_inactive')
  const saved = await saveEmpresa(ctx.sql, ctx.empresa, merged(before, input))
  const row = input.resolucion ? await declareResolucion(ctx.sql, saved, input.resolucion) : saved
  const after = showEmpresa(row, ctx)
  const previous_attributes = previousAttributes(showEmpresa(before, ctx), after)
  if (previous_attributes) ctx.emit({ type: 'empresa.updated', object: after, previous_attributes })
  if (input.status === 'archived') return archiveEmpresa(ctx, row)
  // Another channel, track or tipo asks for other steps; what was done of them stands.
  await ctx.reactions.onboardingFactsChanged(ctx, ctx.empresa)
  return readEmpresa(ctx)
}
