import { MODES, type Mode } from '../../../catalog/modes.ts'
import { SCOPES, type Scope } from '../../../catalog/scopes.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountScope, Caller } from '../../../kernel/scope.ts'
import { reachesRut } from '../empresa/scope.ts'

/** What a credential can do, whichever its kind: a key, or what an agent was granted. */
export interface Powers {
  readonly mode: Mode
  readonly scopes: readonly Scope[]
  readonly empresas: readonly string[]
}

/** Scopes that make their key a root key. */
export function areRoot(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => SCOPES[scope].root_only)
}

/** In what a credential exceeds the caller, or null. A session acts for the whole account, in the mode it names. */
function excessOf(caller: Caller, { mode }: AccountScope, powers: Powers): 'mode' | 'scopes' | 'empresas' | null {
  if (powers.mode !== mode) return 'mode'
  if (caller.kind === 'session') return null
  if (areRoot(powers.scopes) || powers.scopes.some((scope) => !caller.scopes.includes(scope))) return 'scopes'
  return powers.empresas.some((rut) => !reachesRut(caller, rut)) ? 'empresas' : null
}

/**
 * A secret that was rolled out goes on for a day so that nothing breaks, and not so that whoever stole it can meanwhile
 * take other credentials, leave anything behind or put an end to anything. Every `lasting` operation asks this before its verb.
 */
export function refuseOutgoing(caller: Caller): void {
  if (caller.kind !== 'key' || !caller.outgoing) return
  const message =
    'This secret was rolled: until it ends it goes on with the daily work, and cannot make, change or end what lasts. ' +
    'Use the new one.'
  throw new Problem('privilege_escalation', { message, details: { exceeds: 'secret' } })
}

/**
 * Nobody makes, renews or ends a credential that can do more than its own: the same mode, no more scopes, no more
 * empresas, and never another root key. Whoever could renew a wider one would hold its secret; whoever could end it
 * would decide for those who gave it. `param` names what was sent: a field of the new credential, or the id of one.
 */
export function requireAuthority(
  { caller, account }: { readonly caller: Caller; readonly account: AccountScope },
  powers: Powers,
  param?: string,
): void {
  const exceeds = excessOf(caller, account, powers)
  if (exceeds) throw new Problem('privilege_escalation', { param: param ?? exceeds, details: { exceeds } })
}

/** A live secret or RUT goes only to a person whose address is proven: a key that exists was made by such a person. */
export function requireVerifiedEmail(caller: Caller, mode: Mode): void {
  if (caller.kind === 'session' && MODES[mode].needs_verified_email && !caller.email_verified) {
    throw new Problem('email_verification_required')
  }
}
