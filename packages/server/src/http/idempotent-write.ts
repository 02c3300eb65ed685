import type { AuditAction } from '../catalog/audit.ts'
import { HEADERS, SENT } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Contexts, EmpresaContext } from '../domain/context.ts'
import type { Input } from '../domain/operation.ts'
import { lockGrant } from '../domain/platform/agent-grant/authenticate.ts'
import { refuseOutgoing } from '../domain/platform/api-key/authority.ts'
import { guardLasting } from '../domain/platform/credential/require-live.ts'
import type { Answer } from '../kernel/answer.ts'
import { nothing } from '../kernel/db.ts'
import {
  completeAnswer,
  findAnswer,
  fingerprintOf,
  type IdempotencyScope,
  insertAnswers,
  openAnswer,
  sealAnswer,
  tryLockKey,
  UNFINISHED,
} from '../kernel/idempotency.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import type { TransactionBody } from '../kernel/transactor.ts'
import type { KeyState } from '../kernel/unit-of-work.ts'
import type { Vault } from '../kernel/vault.ts'
import { recordAgentAct } from './agent-acts.ts'
import { asReplay, resourceAnswer } from './answers.ts'
import { subjectOf } from './audit.ts'
import type { Call } from './call.ts'
import { afterCommitContexts, type CallScope, type ContextParts, contextsOf, ownerOf } from './contexts.ts'
import { beginLasting } from './lasting.ts'

export interface WriteParts extends ContextParts {
  /** Refuses an empresa without a subscription, where its mode asks for one. */
  readonly paywall: (ctx: EmpresaContext) => Promise<void>
}

export interface Write {
  readonly call: Call
  readonly scope: CallScope
  readonly input: Input
  readonly body: Uint8Array
  readonly key: IdempotencyScope | null
}

const PRINTABLE = /^[!-~ ]+$/

/** The Idempotency-Key that a caller sent, where its operation takes one. */
function sentKey(call: Call): string | undefined {
  const { operation } = call
  if (operation.idempotent === false) return undefined
  const key = call.header(SENT.idempotency_key)
  if (key === undefined && operation.idempotent === 'required')
    throw new Problem('idempotency_key_required', { param: HEADERS.idempotency_key })
  if (key !== undefined && (key.length > CEILINGS.idempotency_key_chars || !PRINTABLE.test(key))) {
    throw invalidField(HEADERS.idempotency_key, '1 to 255 printable ASCII characters.')
  }
  return key
}

/**
 * The idempotency key of a call within its account, empresa and operation; null where it has none. Where the answer
 * carries a secret the key is the credential's own: no other may be answered with what was told to this one.
 */
export function idempotencyScope(call: Call, { admission, empresa }: CallScope): IdempotencyScope | null {
  const { operation } = call
  if (!admission.account) return null
  const key = call.once ?? sentKey(call)
  if (key === undefined) return null
  const { caller } = admission
  const { account_id, mode } = admission.account
  const endpoint = operation.reveals_secret ? `${operation.id} by ${caller?.credential_id}` : operation.id
  return { account_id, mode, empresa_id: empresa?.empresa_id ?? '', operation: endpoint, key }
}

/**
 * The fingerprint of a request: its method, path and body, and on the account itself the empresas its credential reaches.
 * The same words of a credential that reaches less ask for less, and must not be answered with what another was given.
 * Where the answer carries a secret, the secret of the key that asked too: its other one may be in other hands.
 */
function requestFingerprint({ call, scope, body }: Write): Buffer {
  const { operation } = call
  // Sessions find each operation at two addresses beside that of keys: it is the same operation.
  const path = call.api === 'dashboard' ? call.path.replace(/^(\/v1)?\/dashboard/, '/v1') : call.path
  const { caller } = scope.admission
  const narrow = caller && caller.kind !== 'session' && !caller.empresas.includes('*') && operation.reach === 'account'
  const told = operation.reveals_secret && caller?.kind === 'key' ? ` by ${caller.secret_hash.toString('hex')}` : ''
  return fingerprintOf(`${operation.method} ${path}${narrow ? ` ${caller.empresas.join()}` : ''}${told}`, body)
}

/**
 * Refuses a secret that was rolled out before anything is done for it: an operation may ask a bank or the SII before its
 * transaction opens. A roll may be repeated by it, which only the kept answer can tell.
 */
export function refuseRolledOut({ operation }: Call, { admission }: CallScope): void {
  if (operation.lasting && !operation.replayable && admission.caller) refuseOutgoing(admission.caller)
}

/** Refuses a repetition that would tell a secret to a caller who may not be the one that asked. */
async function requireReplayable({ call }: Write, contexts: Contexts, resource: unknown): Promise<void> {
  const { replayable } = call.operation
  if (!replayable || (await replayable(contexts, resource))) return
  const message = 'What this Idempotency-Key asked for was done, and its secret is told no more. Send another key.'
  throw new Problem('idempotency_key_reused', { message })
}

/** The verb behind its paywall. Past the idempotency key: what was once answered is answered again, paid for or not. */
async function runVerb(parts: WriteParts, { call, input, scope }: Write, contexts: Contexts): Promise<unknown> {
  const { operation } = call
  const { lasting, method, raced } = operation
  if (lasting) await guardLasting(contexts.account(), { ends: method === 'DELETE', raced })
  if (operation.paywalled) await parts.paywall(contexts.empresa())
  const leave = await beginLasting(call, contexts, input)
  const resource = await operation.run(contexts, input)
  const subject = subjectOf(call, scope.admission, resource)
  await leave?.(subject, resource)
  if (operation.audited) {
    contexts[operation.reach]().audit({ action: operation.id as AuditAction, subject })
  }
  await recordAgentAct(call, scope, contexts, resource)
  call.beforeCommit?.(resource)
  return resource
}

interface Written {
  readonly resource: unknown
  readonly replayed: boolean
  /** Whether that is the whole answer: nothing is to be done after the commit, or it was done. */
  readonly finished: boolean
}

export async function writeInTransaction(parts: WriteParts, write: Write): Promise<Answer> {
  const { call, scope, key } = write
  const { afterCommit, status, deletes_empresa: exclusive } = call.operation
  const fingerprint = requestFingerprint(write)
  const { vault } = parts.ports
  const work: TransactionBody<Written> = async (sql, unit, opened) => {
    if (key && !opened.free) throw new Problem('idempotency_in_progress')
    await lockGrant(sql, scope.admission.caller)
    const before = key && (await findAnswer(sql, vault, key))
    if (before && !before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    const contexts = contextsOf(parts, call, scope, sql, unit)
    if (before) {
      const resource = JSON.parse(before.body)
      await requireReplayable(write, contexts, resource)
      return { resource, replayed: true, finished: before.status !== UNFINISHED }
    }
    const resource = await runVerb(parts, write, contexts)
    const answer = { status: afterCommit ? UNFINISHED : status, body: JSON.stringify(resource) }
    if (key) unit.keep(insertAnswers([{ key, answer: sealAnswer(vault, key, fingerprint, answer) }], nothing))
    return { resource, replayed: false, finished: !afterCommit }
  }
  const owner = { ...ownerOf(scope), exclusive }
  const { resource, replayed, finished } = await parts.transactor.transact(owner, work, {
    question: key ? tryLockKey(key) : undefined,
  })
  const answerWith = (value: unknown) => resourceAnswer(parts, call, scope.admission, value)
  if (finished || !afterCommit) return replayed ? asReplay(answerWith(resource)) : answerWith(resource)
  const finish = () => afterCommit(afterCommitContexts(parts, call, scope), resource)
  const final = key ? await completeAnswer(parts.sql, vault, key, { fingerprint, status }, finish) : await finish()
  return answerWith(final)
}

/**
 * The verb reads, and everything it writes lands in one statement. Whether the key was used before is known only then, so
 * a refusal of the verb is first checked for being the repetition of a request that once went through.
 */
export async function writeInOneStatement(
  parts: WriteParts,
  write: Write & { readonly key: IdempotencyScope },
): Promise<Answer> {
  const { call, scope, key } = write
  const { vault } = parts.ports
  const fingerprint = requestFingerprint(write)
  const unit = parts.transactor.begin(ownerOf(scope))
  const replay = (body: string) => asReplay(resourceAnswer(parts, call, scope.admission, JSON.parse(body)))
  try {
    const resource = await runVerb(parts, write, contextsOf(parts, call, scope, parts.sql, unit))
    const answer = { status: call.operation.status, body: unit.jsonOf(resource) }
    const sealed = sealAnswer(vault, key, fingerprint, answer)
    const state = await parts.transactor.write(unit, parts.sql, { key, answer: sealed })
    if (!state.fresh) return replay(earlierAnswer(vault, key, state, fingerprint))
    return resourceAnswer(parts, call, scope.admission, resource, answer.body)
  } catch (error) {
    if (!(error instanceof Problem) || error.code.startsWith('idempotency_')) throw error
    const before = await findAnswer(parts.sql, vault, key)
    if (!before) throw error
    if (!before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    return replay(before.body)
  }
}

/** The answer kept under the key, or a refusal when the key was used for something else or is in use. */
function earlierAnswer(vault: Vault, key: IdempotencyScope, state: KeyState, fingerprint: Buffer): string {
  if (!state.free || !state.answer || !state.fingerprint) throw new Problem('idempotency_in_progress')
  const before = openAnswer(vault, key, { fingerprint: state.fingerprint, answer: state.answer })
  if (!before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
  return before.body
}
