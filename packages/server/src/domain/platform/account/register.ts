import { HEADERS } from '../../../catalog/headers.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { COLD_START_SCOPES } from '../../../catalog/scopes.ts'
import { violatedConstraint } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { AccountProblem, Problem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Addresses } from '../../../ports/ports.ts'
import type { PublicContext } from '../../context.ts'
import { inventRut } from '../../rut.ts'
import { makeApiKey } from '../api-key/mint.ts'
import { showApiKey } from '../api-key/show.ts'
import { createEmpresaRow } from '../empresa/create.ts'
import { EMPRESA_TAKEN } from './copy.ts'
import { sendVerification } from './email.ts'
import { requireFreeEmail } from './free-email.ts'
import { hashPassword, requireStrongPassword } from './password.ts'
import { type Bootstrap, type Next, normalizeEmail, type Register, type Registered } from './schema.ts'
import { type AccountRow, insertAccount, type NewAccount } from './store.ts'
import { noteUsualNetwork } from './usual-network.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const BY_KEY = { Authorization: 'Bearer <data.api_key.secret>' }

/** The call a newcomer makes next, given what signing up left them with: a key, then an empresa, then a document. */
function nextStep(made: Pick<Registered, 'api_key' | 'empresa'>, { public_url, base_url }: Addresses): Next {
  if (!made.api_key) {
    const headers = { Authorization: 'Bearer <data.token>', [HEADERS.mode]: 'test', ...JSON_BODY }
    const body = { name: 'sandbox', scopes: COLD_START_SCOPES, empresas: ['*'] }
    return { action: 'create_api_key', method: 'POST', url: `${public_url}/dashboard/api_keys`, headers, body }
  }
  if (!made.empresa) {
    const headers = { ...BY_KEY, ...JSON_BODY }
    const body = { rut: inventRut(), legal_name: 'Comercial Quillay SpA' }
    return { action: 'create_empresa', method: 'POST', url: `${base_url}/empresas`, headers, body }
  }
  const headers = {
    ...BY_KEY,
    [HEADERS.empresa]: '<data.empresa.rut>',
    [HEADERS.idempotency_key]: 'first-document',
    ...JSON_BODY,
  }
  const body = { tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }
  return { action: 'issue_document', method: 'POST', url: `${base_url}/documents`, headers, body }
}

/** Signing up hands out the sandbox and nothing else. */
const SANDBOX: Mode = 'test'

async function openAccount(ctx: PublicContext, row: NewAccount): Promise<AccountRow> {
  try {
    const account = await insertAccount(ctx.sql, row)
    await requireFreeEmail(ctx, row.email, row.id)
    return account
  } catch (error) {
    if (violatedConstraint(error) === 'account_email') throw new AccountProblem('email_taken', { param: 'email' })
    throw error
  }
}

async function makeSandboxKey(ctx: PublicContext, account: AccountScope, wanted: Bootstrap['sandbox_key']) {
  const { row, secret } = await makeApiKey(ctx.sql, {
    ...account,
    name: wanted?.name ?? 'sandbox',
    scopes: wanted?.scopes ?? COLD_START_SCOPES,
    empresas: ['*'],
    now: ctx.now(),
  })
  ctx.audit({ action: 'api_keys.create', subject: row.id }, account)
  ctx.actFor(account).emit({ type: 'api_key.created', object: showApiKey(row), empresa: null })
  return { object: 'api_key' as const, id: row.id, secret }
}

/** A RUT of another account does not cost the newcomer the account: the answer says so, and they may try another. */
async function makeSandboxEmpresa(
  ctx: PublicContext,
  account: AccountScope,
  wanted: NonNullable<Bootstrap['empresa']>,
): Promise<Pick<Registered, 'empresa' | 'empresa_error'>> {
  try {
    const { id, rut, mode } = await createEmpresaRow(ctx.actFor(account), account, wanted)
    return { empresa: { object: 'empresa', id, rut, mode } }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'empresa_exists') throw error
    return { empresa_error: { code: error.code, message: EMPRESA_TAKEN } }
  }
}

async function makeSandbox(ctx: PublicContext, account_id: string, { sandbox_key, empresa }: Bootstrap) {
  const account: AccountScope = { account_id, mode: SANDBOX }
  const api_key = await makeSandboxKey(ctx, account, sandbox_key)
  return { api_key, ...(empresa && (await makeSandboxEmpresa(ctx, account, empresa))) }
}

export async function prepareRegister(
  ctx: PublicContext,
  { email, password, name }: Register,
): Promise<{ password_hash: string }> {
  await requireStrongPassword(password, [normalizeEmail(email), ...(name === undefined ? [] : [name])])
  return { password_hash: await hashPassword(ctx.ports, password) }
}

/** From nothing to a working sandbox in one call: account, session and, if asked, a key and an empresa. */
export async function register(ctx: PublicContext, input: Register & { password_hash: string }): Promise<Registered> {
  const email = normalizeEmail(input.email)
  const account = await openAccount(ctx, {
    id: newId('account'),
    email,
    name: input.name ?? email.slice(0, email.lastIndexOf('@')),
    password_hash: input.password_hash,
    created_at: ctx.now(),
  })
  ctx.concerns(account.id)
  await noteUsualNetwork(ctx.sql, account.id, ctx.ip)
  const token = await ctx.ports.sessions.open(ctx.sql, account.id)
  await sendVerification(ctx, account)
  const made = input.bootstrap ? await makeSandbox(ctx, account.id, input.bootstrap) : {}
  return { token, ...made, next: nextStep(made, ctx.addresses) }
}
