import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext, PageContext } from '../../context.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { recordEvidence } from '../evidence/record.ts'
import { credentialOwner } from './lookup.ts'
import type { SfgCredential, StoreSfgCredential } from './schema.ts'
import {
  deleteCredential,
  deleteCredentialsOf,
  findCredential,
  replaceCredential,
  type SfgCredentialRow,
} from './store.ts'

function show(row: SfgCredentialRow): SfgCredential {
  return {
    object: 'sfg_credential',
    rut: row.rut,
    stored_at: row.stored_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_refused_at: row.last_refused_at?.toISOString() ?? null,
  }
}

export async function readSfgCredential(ctx: EmpresaContext): Promise<SfgCredential> {
  const row = await findCredential(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('sfg_credential_not_found')
  return show(row)
}

/** Puts the password into custody, in the place of the one that was there. Only the SII can tell whether it is right. */
export async function storeSfgCredential(
  ctx: PageContext,
  { rut, password }: StoreSfgCredential,
): Promise<SfgCredential> {
  const empresa = await lockForCustody(ctx)
  const owner = credentialOwner(ctx.empresa, rut)
  const sealed = Buffer.from(ctx.ports.vault.seal(owner, Buffer.from(password, 'utf8')))
  const row = await replaceCredential(ctx.sql, ctx.empresa, { rut, sealed, stored_at: ctx.now() })
  await changeCustody(ctx, empresa, { has_sfg_credential: true, sfg_refused_at: null })
  const stored = { step: 'credential', act: 'credential_stored', document: null } as const
  await recordEvidence(ctx, ctx.empresa, { ...ctx.origin, ...stored, actor: ctx.person ?? null })
  return show(row)
}

export async function removeSfgCredential(ctx: EmpresaContext): Promise<null> {
  const empresa = await lockForCustody(ctx)
  if (!(await purgeSfgCredential(ctx))) throw new Problem('sfg_credential_not_found')
  await changeCustody(ctx, empresa, { has_sfg_credential: false, sfg_refused_at: null })
  return null
}

/** Deletes the password for good, where there is one. */
export function purgeSfgCredential({ sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>): Promise<boolean> {
  return deleteCredential(sql, empresa)
}

/** Those of an account that closes. */
export function purgeSfgCredentialsOf(sql: Sql, account_id: string): Promise<void> {
  return deleteCredentialsOf(sql, account_id)
}
