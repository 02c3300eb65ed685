import type { Scope } from '../catalog/scopes.ts'
import { Problem } from './problem.ts'
import type { Caller } from './scope.ts'

/** Refuses a caller without a scope. An operation names the one it always needs; a verb asks for more by what it is told. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.kind === 'session' || caller.scopes.includes(scope)) return
  throw new Problem('insufficient_scope', { message: `The key lacks the scope ${scope}.`, details: { scope } })
}
