import { ACTECOS } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import { newId } from '../../../kernel/id.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import { RecordedProblem } from '../../../kernel/recorded-problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { AccountContext, BaseContext } from '../../context.ts'
import { requireRoom } from '../account/ceiling.ts'
import { lockEmpresaAllowance, lockMailboxAccounts } from '../account/lookup.ts'
import { requireVerifiedEmail } from '../api-key/authority.ts'
import { openOnboarding } from '../onboarding/open.ts'
import { newClaim } from '../rut-claim/mint.ts'
import { checkDocTypes, lackedBy, ORIGENES } from './channels.ts'
import { watchEmpresaProof } from './jobs.ts'
import { checkResolucionDate, declareResolucion } from './resolucion.ts'
import type { EmpresaRow } from './row.ts'
import type { CreateEmpresa, Empresa } from './schema.ts'
import { reachesRut } from './scope.ts'
import { showEmpresa } from './show.ts'
import {
  countEmpresas,
  countUnproven,
  findEmpresa,
  findRutHolder,
  insertEmpresa,
  type NewEmpresa,
  releaseRut,
} from './store.ts'
import { warningAt } from './warning.ts'

/** No more than signing up has, so that it can create the first empresa too. */
export interface CreateEmpresaContext extends Pick<BaseContext, 'sql' | 'now' | 'addresses' | 'enqueue'> {
  emit(event: NewEvent): void
}

export function checkActeco(acteco: readonly number[]): void {
  const unknown = acteco.find((code) => !Object.hasOwn(ACTECOS, code))
  if (unknown !== undefined) throw invalidField('acteco', `${unknown} is not an economic activity of the SII.`)
}

/** The dates of what a titular declares, wherever it does. */
export function checkDates(input: Pick<CreateEmpresa, 'resolucion' | 'resolucion_boletas'>, now: Date): void {
  const { resolucion, resolucion_boletas } = input
  if (resolucion) checkResolucionDate('resolucion.fecha', resolucion.fecha, now)
  if (resolucion_boletas) checkResolucionDate('resolucion_boletas.fecha', resolucion_boletas.fecha, now)
}

function newEmpresa(ctx: CreateEmpresaContext, account: AccountScope, input: CreateEmpresa): NewEmpresa {
  const rules = MODES[account.mode]
  if (rules.origen_required && input.origen === undefined) {
    throw invalidField('origen', 'it is required on a live key: gratuito, mercado or ninguno.')
  }
  const origen = input.origen ?? 'ninguno'
  const emission_channel = input.emission_channel ?? ORIGENES[origen].channel
  const buildable = rules.default_doc_types.filter((tipo) => lackedBy(emission_channel, [tipo]).length === 0)
  checkActeco(input.acteco ?? [])
  checkDates(input, ctx.now())
  return {
    account_id: account.account_id,
    id: newId('empresa'),
    mode: account.mode,
    rut: input.rut,
    legal_name: input.legal_name,
    giro: input.giro ?? null,
    acteco: input.acteco ?? [],
    street: input.address?.street ?? null,
    comuna: input.address?.comuna ?? null,
    city: input.address?.city ?? null,
    codigo_sucursal: input.codigo_sucursal ?? null,
    contact_email: input.contact_email ?? null,
    emission_channel,
    certification_track: input.certification_track ?? null,
    doc_types: checkDocTypes(emission_channel, input.doc_types ?? buildable),
    origen,
    resolucion_boletas_fecha: input.resolucion_boletas?.fecha ?? null,
    reception_email: rules.reception_alias ? `${input.rut}@${ctx.addresses.reception_domain}` : null,
    emitting_since: rules.onboarding_starts_at === 'emitting' ? ctx.now() : null,
    created_at: ctx.now(),
  }
}

/** Before the RUT is looked at: whoever holds as many as an account may learns of no other RUT whether it is held. */
async function refuseSquatting({ sql }: CreateEmpresaContext, account: AccountScope): Promise<void> {
  if (!MODES[account.mode].rut_needs_proof) return
  const allowed = (await lockEmpresaAllowance(sql, account.account_id)) ?? CEILINGS.unproven_empresas
  const accounts = await lockMailboxAccounts(sql, account.account_id)
  if ((await countUnproven(sql, accounts, account.mode)) >= allowed) {
    throw new Problem('unproven_empresa_limit_reached')
  }
}

/**
 * Creates an empresa with its event. A RUT belongs to one empresa of each mode, whatever the account; a taken one is
 * refused without harming the transaction, so that signing up can go on without it. The refusal of a live RUT that another
 * account holds names a page where its taxpayer takes it over, and not who holds it.
 */
export async function createEmpresaRow(
  ctx: CreateEmpresaContext,
  account: AccountScope,
  input: CreateEmpresa,
  { proven = false } = {},
): Promise<EmpresaRow> {
  const wanted = newEmpresa(ctx, account, input)
  if (!proven) await refuseSquatting(ctx, account)
  await releaseRut(ctx.sql, account, input.rut, ctx.now())
  const made = await insertEmpresa(ctx.sql, wanted)
  if (!made) {
    const holder = await findRutHolder(ctx.sql, account, input.rut)
    const own = holder?.account_id === account.account_id
    if (own) throw new Problem('empresa_exists', { param: 'rut', existing_id: holder.id })
    if (!MODES[account.mode].rut_needs_proof) throw new Problem('empresa_exists', { param: 'rut' })
    const { details, record } = newClaim(ctx, account, input)
    throw new RecordedProblem('empresa_exists', { param: 'rut', details }, record)
  }
  const scope = { ...account, empresa_id: made.id, rut: made.rut }
  if (made.emitting_since === null) await openOnboarding(ctx, scope, made)
  if (input.resolucion) await declareResolucion(ctx.sql, made, input.resolucion)
  const row = (await findEmpresa(ctx.sql, scope)) as EmpresaRow
  if (MODES[account.mode].rut_needs_proof && !proven) {
    const job = { payload: {}, key: row.id, empresa_id: row.id, due_at: warningAt(row) }
    await ctx.enqueue(watchEmpresaProof, job)
  }
  ctx.emit({ type: 'empresa.created', object: showEmpresa(row, ctx), empresa: { id: row.id, rut: row.rut } })
  return row
}

/** A key creates only empresas that it reaches itself. A live RUT is held for a person whose address is proven. */
export async function createEmpresa(ctx: AccountContext, input: CreateEmpresa): Promise<Empresa> {
  if (!reachesRut(ctx.caller, input.rut)) throw new Problem('empresa_not_allowed', { param: 'rut', empresa: input.rut })
  requireVerifiedEmail(ctx.caller, ctx.account.mode)
  await requireRoom(ctx.sql, ctx.account, 'empresas', () => countEmpresas(ctx.sql, ctx.account))
  const row = await createEmpresaRow(ctx, ctx.account, input)
  return showEmpresa(row, ctx)
}
