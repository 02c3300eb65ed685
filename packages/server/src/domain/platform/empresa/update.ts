import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { archiveEmpresa } from './archive.ts'
import { checkDocTypes } from './channels.ts'
import { checkActeco, checkDates } from './create.ts'
import { readEmpresa } from './read.ts'
import { declareResolucion } from './resolucion.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa, UpdateEmpresa } from './schema.ts'
import { showEmpresa } from './show.ts'
import { lockEmpresa, saveEmpresa, type WritableColumns } from './store.ts'

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
  if (row.contact_email !== before.contact_email) await ctx.reactions.contactChanged(ctx, ctx.empresa)
  // Another channel, track or tipo asks for other steps; what was done of them stands.
  await ctx.reactions.onboardingFactsChanged(ctx, ctx.empresa)
  if (Object.keys(before.documents_refused).length > 0) await ctx.reactions.emisorChanged(ctx, ctx.empresa)
  return readEmpresa(ctx)
}
