import { MODES } from '../../../catalog/modes.ts'
import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { OperatorContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { getsFolioFromSii } from './channels.ts'
import { onboardingMachine } from './machine.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa, RecordOnboarding } from './schema.ts'
import { showEmpresa } from './show.ts'
import { lockEmpresa, saveBoletaEmission } from './store.ts'

/** Envelopes name the resolución: without one that the SII confirmed, every document would be refused. */
function refuseUnverified(row: EmpresaRow): void {
  const needs_one = row.doc_types.some((tipo) => !getsFolioFromSii(row.emission_channel, tipo))
  if (!needs_one || row.resolucion_status === 'verified') return
  throw new Problem('requirement_unmet', {
    message:
      'The resolución of the empresa is not verified: POST /empresas/{empresa_id}/resolucion/verify comes first.',
    details: { key: 'resolucion' },
  })
}

async function record(ctx: OperatorContext, before: EmpresaRow, { step }: RecordOnboarding): Promise<EmpresaRow> {
  if (step === 'habilitacion') return saveBoletaEmission(ctx.sql, ctx.empresa, ctx.now())
  if (before.onboarding_status === 'emitting') return before
  refuseUnverified(before)
  const { row } = await advance<EmpresaRow, typeof onboardingMachine>(
    ctx.sql,
    onboardingMachine,
    ctx.empresa,
    before.id,
    'recorded',
  )
  return row
}

/** Records what people did at the SII. Recorded twice it is recorded. */
export async function recordOnboarding(ctx: OperatorContext, input: RecordOnboarding): Promise<Empresa> {
  const before = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!before) throw new Problem('empresa_not_found')
  // One of test mode is born as it is: nobody did anything at the SII for it.
  if (MODES[before.mode].onboarding_starts_at === 'emitting')
    throw new Problem('mode_not_allowed', { empresa: before.rut })
  if (before.status !== 'active') throw new Problem('empresa_inactive')
  const after = showEmpresa(await record(ctx, before, input), ctx.now())
  const previous_attributes = previousAttributes(showEmpresa(before, ctx.now()), after)
  if (previous_attributes) ctx.emit({ type: 'empresa.updated', object: after, previous_attributes })
  return after
}
