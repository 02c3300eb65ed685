import type { Person } from '../../../catalog/roles.ts'
import { newId } from '../../../kernel/id.ts'
import { brokenRules, invalidField, Problem, together } from '../../../kernel/problem.ts'
import type { CertificateFacts, OpenedPfx, RefusedPfx } from '../../../ports/certificates.ts'
import type { EmpresaContext, PageContext } from '../../context.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { reachedRuts } from '../empresa/scope.ts'
import { recordEvidence } from '../evidence/record.ts'
import { requestProof } from './ask-proof.ts'
import { nextAlert } from './expiry.ts'
import { judgeIssuer } from './issuer.ts'
import { watchCertificate } from './jobs.ts'
import { sealCertificate, unsealCertificate } from './keep.ts'
import { askLogOut } from './log-out.ts'
import { dropIdentity } from './lookup.ts'
import { proveRut } from './prove-rut.ts'
import { showTo } from './read.ts'
import type { Certificate, Chain, UploadCertificate } from './schema.ts'
import { type CertificateRow, showInEvent, statusOf } from './show.ts'
import { findCertificate, findKnownId, findReusable, replaceCertificate } from './store.ts'

/** The refusal under a code a program can branch on. Nothing of the file or its password is repeated. */
function problemOf({ reason, message }: RefusedPfx): Problem {
  const details = { reason }
  if (reason === 'wrong_password') return new Problem('certificate_password_wrong', { param: 'password', details })
  if (reason === 'expired') return new Problem('certificate_expired', { param: 'file', message, details })
  if (reason === 'not_yet_valid') return new Problem('certificate_not_yet_valid', { param: 'file', message, details })
  return new Problem('invalid_certificate', { param: 'file', message, details })
}

/** Opens the file before the transaction, on a thread. A certificate that is reused was opened once. */
export async function openUpload(
  ctx: EmpresaContext,
  { file, password, reuse }: UploadCertificate,
): Promise<{ opened: JudgedPfx | null }> {
  if (reuse !== undefined) {
    if (file !== undefined || password !== undefined) throw invalidField('reuse', 'it comes alone.')
    return { opened: null }
  }
  if (file !== undefined && password !== undefined)
    return { opened: await judgePfx(ctx, Buffer.from(file, 'base64'), password) }
  throw together(
    brokenRules(
      [file === undefined, 'file', 'it is missing; or send `reuse`.'],
      [password === undefined, 'password', 'it is missing; an empty one is sent as an empty text.'],
    ),
  )
}

export interface JudgedPfx extends OpenedPfx {
  readonly chain: Chain
}

/** Opens a file with its password and says whether what is in it can sign; a refusal otherwise. */
export async function judgePfx(
  ctx: Pick<PageContext, 'ports' | 'account' | 'now'>,
  bytes: Uint8Array,
  password: string,
): Promise<JudgedPfx> {
  const opened = await ctx.ports.certificates.open(ctx.account.account_id, bytes, password, ctx.now())
  if ('reason' in opened) throw problemOf(opened)
  return { ...opened, chain: await judgeIssuer(ctx, opened) }
}

export interface IncomingCertificate extends Pick<OpenedPfx, 'key' | 'certificates'> {
  readonly id: string
  readonly chain: Chain
  readonly facts: Omit<CertificateFacts, 'not_before' | 'not_after'> & Record<'not_before' | 'not_after', Date>
  readonly uploaded_at: Date
  /** False for what its holder brought on a page: they were told for which empresa, and gave it for no other. */
  readonly reusable: boolean
}

/** Under the id that the account knows it by, where another empresa of it has it. */
export async function incomingOf(
  ctx: Pick<EmpresaContext, 'sql' | 'now' | 'account'>,
  { facts, key, certificates, chain }: JudgedPfx,
  { reusable }: Pick<IncomingCertificate, 'reusable'>,
): Promise<IncomingCertificate> {
  const id = (await findKnownId(ctx.sql, ctx.account, facts.fingerprint_sha256)) ?? newId('certificate')
  const dated = { ...facts, not_before: new Date(facts.not_before), not_after: new Date(facts.not_after) }
  return { id, facts: dated, chain, key, certificates, uploaded_at: ctx.now(), reusable }
}

/** Of the empresas that have it the caller must reach one: whoever does not is told that there is none. */
async function reused(ctx: EmpresaContext, id: string): Promise<IncomingCertificate> {
  const row = await findReusable(ctx.sql, ctx.account, id, reachedRuts(ctx.caller))
  if (!row) throw new Problem('certificate_not_found', { param: 'reuse' })
  if (!row.reusable) throw new Problem('certificate_not_reusable', { param: 'reuse' })
  if (statusOf(row, ctx.now()) === 'expired') throw new Problem('certificate_expired', { param: 'reuse' })
  const kept = unsealCertificate(ctx.ports.vault, row, id, row.sealed)
  return { id, facts: row, chain: row.chain, ...kept, uploaded_at: row.uploaded_at, reusable: true }
}

/** A new certificate of the same person needs no new permission at the SII. One that was refused is tried anew. */
function authorityOf(before: CertificateRow | null, { facts }: IncomingCertificate): CertificateRow['authority'] {
  return before?.authority === 'proven' && before.holder_rut === facts.holder_rut ? 'proven' : 'unproven'
}

export type PutContext = Pick<
  EmpresaContext,
  'sql' | 'now' | 'ports' | 'addresses' | 'emit' | 'enqueue' | 'invalidate' | 'reactions' | 'empresa'
>

/** Puts a certificate into the custody of an empresa, in the place of the one it had. The empresa is locked. */
export async function putCertificate(
  ctx: PutContext,
  empresa: EmpresaRow,
  incoming: IncomingCertificate,
): Promise<CertificateRow> {
  const { id, facts, chain, uploaded_at, reusable } = incoming
  const before = await findCertificate(ctx.sql, ctx.empresa)
  const row = await replaceCertificate(ctx.sql, ctx.empresa, {
    id,
    fingerprint_sha256: facts.fingerprint_sha256,
    holder_rut: facts.holder_rut,
    holder_name: facts.holder_name,
    issuer: facts.issuer,
    serial: facts.serial,
    not_before: facts.not_before,
    not_after: facts.not_after,
    authority: authorityOf(before, incoming),
    chain,
    sealed: sealCertificate(ctx.ports.vault, ctx.empresa, id, incoming),
    uploaded_at,
    reusable,
  })
  dropIdentity(ctx.empresa)
  await changeCustody(ctx, empresa, { certificate_until: row.not_after, certificate_refused: {} })
  await proveRut(ctx, ctx.empresa)
  await requestProof(ctx, ctx.empresa)
  await ctx.reactions.certificateChanged(ctx, ctx.empresa)
  const replaced = before && before.id !== id && { detail: { replaced: before.id } }
  ctx.emit({ type: 'certificate.uploaded', object: showInEvent(row, ctx.empresa, ctx.now()), ...replaced })
  if (before && before.fingerprint_sha256 !== row.fingerprint_sha256) await askLogOut(ctx, before)
  const due_at = nextAlert(row, ctx.now())
  const key = `${ctx.empresa.empresa_id}:${id}`
  if (due_at) await ctx.enqueue(watchCertificate, { payload: { certificate_id: id }, key, due_at })
  return row
}

/** Puts what a caller uploaded, or reuses, into custody. */
export async function uploadCertificate(
  ctx: EmpresaContext,
  { reuse, opened }: UploadCertificate & { opened: JudgedPfx | null },
): Promise<Certificate> {
  const empresa = await lockForCustody(ctx)
  const incoming = opened ? await incomingOf(ctx, opened, { reusable: true }) : await reused(ctx, reuse ?? '')
  const row = await putCertificate(ctx, empresa, incoming)
  await tellOfUpload(ctx, row, ctx.person ?? null)
  return showTo(ctx, row)
}

/** The same for a person who hands it over on a page: whoever has the file and its password acts as its holder. */
export async function keepUploaded(ctx: PageContext, opened: JudgedPfx): Promise<CertificateRow> {
  const empresa = await lockForCustody(ctx)
  const { holder_rut: rut, holder_name: name } = opened.facts
  const row = await putCertificate(ctx, empresa, await incomingOf(ctx, opened, { reusable: false }))
  await tellOfUpload(ctx, row, { rut, name, role: 'titular_certificado' })
  return row
}

/** The evidence of a certificate that enters custody. */
export function tellOfUpload(
  ctx: Pick<PageContext, 'sql' | 'now' | 'empresa' | 'origin'>,
  row: CertificateRow,
  actor: Person | null,
): Promise<string> {
  return recordEvidence(ctx, ctx.empresa, {
    ...ctx.origin,
    step: 'certificate',
    act: 'certificate_uploaded',
    actor,
    document: { version: row.id, sha256: row.fingerprint_sha256 },
  })
}
