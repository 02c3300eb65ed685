import type { AuditAction } from '../../../catalog/audit.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import { stopJobsOf } from '../../../kernel/queue.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, Origin } from '../../context.ts'
import { requireRoom } from '../account/ceiling.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { incomingOf, type JudgedPfx, putCertificate, tellOfUpload } from '../certificate/upload.ts'
import { archiveEmpresa } from '../empresa/archive.ts'
import { createEmpresaRow } from '../empresa/create.ts'
import { outweighs, proofBy, recordRutProof } from '../empresa/proof.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { countOwnEmpresas, freeRut, lockRutHolder } from '../empresa/rut-holder.ts'
import { recordEvidence } from '../evidence/record.ts'
import { type NewLastingChange, recordLastingChange } from '../lasting-change/record.ts'
import { composeLetter, type Draft } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { signerOnPage } from '../mandato/lookup.ts'
import { rutLostLetter, rutTakenOverLetter } from './copy.ts'
import type { RutClaim } from './open.ts'
import { useClaim } from './store.ts'
import { termsOf } from './terms.ts'

/**
 * Why a certificate takes nothing over. `not_taxpayer`: nothing that we know makes its holder speak for the RUT. `proven`: the
 * account that has the RUT proved it as well.
 */
export type TakeOverRefusal = 'used' | 'not_taxpayer' | 'proven' | 'own'

/** Thrown inside the transaction: nothing of it stays. */
export class TakeOverRefused extends Error {
  readonly reason: TakeOverRefusal

  constructor(reason: TakeOverRefusal) {
    super(reason)
    this.reason = reason
  }
}

export interface TakeOverContext
  extends Pick<BaseContext, 'sql' | 'now' | 'ports' | 'addresses' | 'reactions' | 'enqueue' | 'invalidate'> {
  emitFor(whose: AccountScope, event: NewEvent): string
  auditFor(scope: EmpresaScope, action: AuditAction, subject: string): void
}

const scopeOf = ({ account_id, mode, id, rut }: EmpresaRow): EmpresaScope => ({ account_id, mode, empresa_id: id, rut })

/** The context of one empresa: its events and jobs are its own, whoever's transaction this is. */
function actingOn(ctx: TakeOverContext, empresa: EmpresaScope) {
  const about = { id: empresa.empresa_id, rut: empresa.rut }
  const enqueue: TakeOverContext['enqueue'] = (job, request) =>
    ctx.enqueue(job, { ...request, empresa_id: request.empresa_id === undefined ? about.id : request.empresa_id })
  return {
    ...ctx,
    enqueue,
    empresa,
    account: empresa,
    emit: (event: NewEvent) => ctx.emitFor(empresa, { ...event, empresa: about }),
  }
}

async function write(ctx: TakeOverContext, account_id: string, letter: (email: string) => Draft): Promise<void> {
  const account = await findAccountEmail(ctx.sql, account_id)
  if (account) await enqueueLetter(ctx, composeLetter(letter(account.email)))
}

/** Ends the empresa that held the RUT. Nothing of it comes along: what waits for it stops, what it kept in custody is deleted. */
async function endHolder(ctx: TakeOverContext, holder: EmpresaRow): Promise<void> {
  const scope = scopeOf(holder)
  // That it happened and when; who did it, and from where, is none of the former holder's business.
  await recordEvidence(ctx, scope, {
    step: 'certificate',
    act: 'rut_taken_over',
    actor: null,
    document: null,
    via: 'hosted_page',
    ip: null,
    user_agent: null,
  })
  if (holder.status === 'archived') {
    await freeRut(ctx.sql, scope)
  } else {
    await archiveEmpresa(actingOn(ctx, scope), holder, 'rut_taken_over')
    await stopJobsOf(ctx.sql, scope, { code: 'empresa_inactive', message: 'The empresa was archived.' })
    ctx.auditFor(scope, 'empresas.update', holder.id)
    await write(ctx, holder.account_id, (email) => rutLostLetter(email, holder))
  }
  ctx.invalidate(holder.account_id)
}

/** What stays in the account that asked. No credential left it: whoever takes the account back is told of it by its hour. */
function leave(
  acting: ReturnType<typeof actingOn>,
  change: Omit<NewLastingChange, 'empresa_id' | 'fields'>,
): Promise<void> {
  const { empresa_id } = acting.empresa
  return recordLastingChange({ ...acting, caller: { credential_id: '' } }, { ...change, empresa_id, fields: [] })
}

/**
 * Gives a RUT to the account that asked for it, on the word of the certificate that is brought, or of the SII that lets its
 * holder act for the RUT (`recognised`): one of several who bring theirs at once. The empresa is the one that was asked for, with the certificate in its custody.
 */
export async function takeOver(
  ctx: TakeOverContext,
  claim: RutClaim,
  pfx: JudgedPfx,
  origin: Origin,
  { recognised }: { readonly recognised: boolean },
): Promise<EmpresaScope> {
  const { account_id, mode, rut, input } = claim
  const account = { account_id, mode }
  if (!(await useClaim(ctx.sql, claim, ctx.now()))) throw new TakeOverRefused('used')
  await requireRoom(ctx.sql, account, 'empresas', () => countOwnEmpresas(ctx.sql, account))
  const holder = await lockRutHolder(ctx.sql, mode, rut)
  if (holder?.account_id === account_id && holder.status !== 'archived') throw new TakeOverRefused('own')
  const signer_rut = holder && (await signerOnPage(ctx.sql, scopeOf(holder)))
  const { holder_rut, holder_name } = pfx.facts
  const proof = recognised ? 'sii' : proofBy({ holder_rut, chain: pfx.chain }, { rut, signer_rut })
  if (proof === null) throw new TakeOverRefused('not_taxpayer')
  if (holder && !outweighs(proof, holder)) throw new TakeOverRefused('proven')
  if (holder) await endHolder(ctx, holder)
  const creating = { ...ctx, emit: (event: NewEvent) => void ctx.emitFor(account, event) }
  const made = await createEmpresaRow(creating, account, input, { proven: true })
  const scope = scopeOf(made)
  const acting = actingOn(ctx, scope)
  const incoming = await incomingOf(acting, pfx, { reusable: false })
  const kept = await putCertificate(acting, made, incoming)
  await recordRutProof(ctx.sql, scope, proof, ctx.now(), holder_rut)
  const actor = { rut: holder_rut, name: holder_name, role: 'titular_certificado' } as const
  await tellOfUpload({ ...acting, origin }, kept, actor)
  await recordEvidence(ctx, scope, {
    step: 'certificate',
    act: 'rut_taken_over',
    actor,
    document: termsOf(claim),
    ...origin,
  })
  await leave(acting, { object: 'empresa', act: 'created', subject_id: made.id, label: made.legal_name })
  await leave(acting, { object: 'certificate', act: 'created', subject_id: incoming.id, label: null })
  ctx.auditFor(scope, 'empresas.create', made.id)
  ctx.auditFor(scope, 'certificate.upload', incoming.id)
  await write(ctx, account_id, (email) => rutTakenOverLetter(email, made))
  return scope
}
