import { AccountProblem } from '../../../kernel/problem.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SessionContext } from '../../context.ts'
import { isGuessable } from './guessable.ts'
import { findAccount } from './store.ts'

const SHORTEST = 10
const LONGEST = 200

/** The same password typed on another keyboard may arrive in other code points. */
const typed = (password: string) => password.normalize('NFKC')

/** `context` is what is known of the person: their address, the name of the account. */
export async function requireStrongPassword(
  password: string,
  context: readonly string[],
  param = 'password',
): Promise<void> {
  const text = typed(password).trim()
  const length = [...typed(password)].length
  // The length first: what is looked at more closely is short.
  const weak = length < SHORTEST || length > LONGEST || (await isGuessable(text, context))
  if (weak) throw new AccountProblem('weak_password', { param })
}

export function hashPassword({ passwords }: Pick<Ports, 'passwords'>, password: string): Promise<string> {
  return passwords.hash(typed(password))
}

/** Whether a password opens an account; where there is no account, after the same work. */
export function isPassword(
  { passwords }: Pick<Ports, 'passwords'>,
  password: string,
  password_hash: string | null,
): Promise<boolean> {
  return passwords.matches(typed(password), password_hash)
}

/** The hash that a password was verified against, before the transaction. It must still be the account's inside it. */
export interface Proof {
  readonly proven: string
}

/** A session alone does not change who owns the account: the person shows the password again. */
export async function provePassword(
  ports: Pick<Ports, 'passwords'>,
  password: string,
  account: { password_hash: string },
  param = 'password',
): Promise<Proof> {
  if (!(await isPassword(ports, password, account.password_hash)))
    throw new AccountProblem('invalid_credentials', { param })
  return { proven: account.password_hash }
}

/** Refuses a proof that another change of the password, in between, made worthless. */
export function requireProof({ proven }: Proof, account: { password_hash: string }, param = 'password'): void {
  if (account.password_hash !== proven) throw new AccountProblem('invalid_credentials', { param })
}

/** Acts that cannot be undone need the password again, whatever session asks for them. */
export async function proveOwner(ctx: SessionContext, { password }: { password: string }): Promise<Proof> {
  return provePassword(ctx.ports, password, await findAccount(ctx.sql, ctx.account_id))
}
