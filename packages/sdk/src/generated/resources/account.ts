// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { AccountAnswer, CallOptions } from '../../shapes.ts'
import type { Account, AccountChangeEmail, AccountChangePassword, AccountClose, AccountDisown, AccountForgotPassword, AccountLogin, AccountPlan, AccountPlanRecord, AccountRegister, AccountResetPassword, AccountRestoreEmail, AccountVerifyEmail, Disowned, LoggedIn, Recovery, Registered, RestoredEmail, Session, VerifiedEmail } from '../types.ts'

export interface AccountResource {
  /**
   * Read the account and the credential in use.
   *
   * @see http://127.0.0.1:3000/docs/reference/account#account.get
   */
  get(options?: CallOptions): Promise<Account>
  /**
   * Open an account.
   *
   * With `bootstrap` it also makes a sandbox key and, if one is named, an empresa. It never waits for the e-mail to be confirmed: that is needed only to mint a live key.
   *
   * Limit: 10 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.register
   */
  register(input: AccountRegister, options?: CallOptions): Promise<AccountAnswer<Registered>>
  /**
   * Log in.
   *
   * Limit: 10 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.login
   */
  login(input: AccountLogin, options?: CallOptions): Promise<AccountAnswer<LoggedIn>>
  /**
   * End the session.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.logout
   */
  logout(options?: CallOptions): Promise<AccountAnswer<null>>
  /**
   * Read the session and its account.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.session
   */
  session(options?: CallOptions): Promise<AccountAnswer<Session>>
  /**
   * Confirm an e-mail address.
   *
   * Takes the token of the letter sent on registration or on a change of e-mail. It works once. The first time that an address of the account is confirmed, every session and every other pending link ends: log in again.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.verify_email
   */
  verifyEmail(input: AccountVerifyEmail, options?: CallOptions): Promise<AccountAnswer<VerifiedEmail>>
  /**
   * Say that somebody else opened the account.
   *
   * Takes the token of the letter sent on registration, instead of confirming it. Every session, pending link, key, agent grant, webhook endpoint, public link and bank page ends, the password no longer works, and a letter lets the reader set a new one.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.disown
   */
  disown(input: AccountDisown, options?: CallOptions): Promise<AccountAnswer<Disowned>>
  /**
   * Send the confirmation letter again.
   *
   * Limit: 5 per 3600 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.resend_verification
   */
  resendVerification(options?: CallOptions): Promise<AccountAnswer<null>>
  /**
   * Ask for a link to set a new password.
   *
   * The answer is the same whether or not the address has an account.
   *
   * Limit: 20 per 3600 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.forgot_password
   */
  forgotPassword(input: AccountForgotPassword, options?: CallOptions): Promise<AccountAnswer<null>>
  /**
   * Set a new password with the link of a letter.
   *
   * Ends every session of the account, every link that waits in a mailbox, and the keys, agent grants, webhook endpoints, public links and bank pages made before an address of it was first confirmed. What such a key or agent changed later ends or is disabled too. The rest goes on.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.reset_password
   */
  resetPassword(input: AccountResetPassword, options?: CallOptions): Promise<AccountAnswer<Recovery>>
  /**
   * Change the password.
   *
   * Ends every other session of the account and every link that waits in a mailbox.
   *
   * Limit: 5 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.change_password
   */
  changePassword(input: AccountChangePassword, options?: CallOptions): Promise<AccountAnswer<null>>
  /**
   * Ask for another e-mail address.
   *
   * Takes effect when the link sent to the new address is followed. The old one is then told, and a link in that letter leads back for 72 hours.
   *
   * Limit: 5 per 3600 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.change_email
   */
  changeEmail(input: AccountChangeEmail, options?: CallOptions): Promise<AccountAnswer<null>>
  /**
   * Undo a change of e-mail address.
   *
   * Takes the token of the letter that told the old address of the change, for 72 hours and once. The account comes back to that address; every session and every pending link end, with the keys, agent grants, webhook endpoints, public links and bank pages made or changed since the session began that asked for the change: a key rolled since then ends, an endpoint sent elsewhere or given a secret is disabled. A letter lets its reader set a new password: the one it had no longer works.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.restore_email
   */
  restoreEmail(input: AccountRestoreEmail, options?: CallOptions): Promise<AccountAnswer<RestoredEmail>>
  /**
   * Close the account.
   *
   * Keys and sessions stop at once and sandbox empresas are deleted. Refused while a live empresa is active, and for 72 hours after a change of e-mail, while the old address may undo it.
   *
   * Limit: 5 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cold_start#account.close
   */
  close(input: AccountClose, options?: CallOptions): Promise<AccountAnswer<null>>
  readonly plan: AccountPlanResource
}

export interface AccountPlanResource {
  /**
   * Put an account on a plan.
   *
   * For the operator alone. On plan `house` no empresa of the account needs a subscription, from this moment on.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#account.plan.record
   */
  record(account_id: string, input: AccountPlanRecord, options?: CallOptions): Promise<AccountPlan>
}

export const account: ResourceOf<AccountResource> = /* @__PURE__ */ resource<AccountResource>({
  get: 'GET /account ',
  register: 'POST /account/register bp',
  login: 'POST /account/login bp',
  logout: 'POST /account/logout s',
  session: 'GET /account/session s',
  verifyEmail: 'POST /account/verify_email bp',
  disown: 'POST /account/disown bp',
  resendVerification: 'POST /account/resend_verification s',
  forgotPassword: 'POST /account/forgot_password bp',
  resetPassword: 'POST /account/reset_password bp',
  changePassword: 'POST /account/change_password bs',
  changeEmail: 'POST /account/change_email bs',
  restoreEmail: 'POST /account/restore_email bp',
  close: 'POST /account/close bs',
  plan: {
    record: 'POST /accounts/{account_id}/plan bo',
  },
})
