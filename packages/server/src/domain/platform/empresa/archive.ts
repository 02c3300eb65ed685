import { advance } from '../../../kernel/advance.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { purgeCertificate } from '../certificate/purge.ts'
import { purgeSfgCredential } from '../sfg-credential/sfg-credential.ts'
import { endSubscription } from '../subscription/record.ts'
import { rutHeldUntil } from './held-rut.ts'
import { empresaMachine } from './machine.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa } from './schema.ts'
import { showEmpresa } from './show.ts'
import { findEmpresa, holdUnprovenRut, leaveRut, saveCustody } from './store.ts'

export type ArchiveContext = Pick<
  EmpresaContext,
  'sql' | 'now' | 'addresses' | 'emit' | 'enqueue' | 'ports' | 'invalidate' | 'empresa'
>

/** Why the service archived an empresa, where its account did not ask for it. Then its RUT is free at once. */
export type ArchivedBecause = 'rut_not_proven' | 'rut_taken_over'

/** Emission and billing stop, history stays, and what stands in custody goes. There is no way back. */
export async function archiveEmpresa(
  ctx: ArchiveContext,
  before: EmpresaRow,
  because?: ArchivedBecause,
): Promise<Empresa> {
  await purgeCertificate(ctx)
  await purgeSfgCredential(ctx)
  await saveCustody(ctx.sql, ctx.empresa, {
    certificate_until: null,
    certificate_refused: {},
    documents_refused: {},
    has_sfg_credential: false,
    sfg_refused_at: null,
  })
  await advance(ctx.sql, empresaMachine, ctx.empresa, before.id, 'archived')
  const row = (await findEmpresa(ctx.sql, ctx.empresa)) as EmpresaRow
  if (because) await leaveRut(ctx.sql, ctx.empresa)
  else await holdUnprovenRut(ctx.sql, ctx.empresa, rutHeldUntil(ctx.now()))
  await endSubscription(ctx, ctx.empresa)
  const after = showEmpresa(row, ctx)
  const previous_attributes = previousAttributes(showEmpresa(before, ctx), after) ?? {}
  const detail = because && { detail: { reason: because } }
  ctx.emit({ type: 'empresa.archived', object: after, previous_attributes, ...detail })
  return after
}
