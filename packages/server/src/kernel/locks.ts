/**
 * The order in which a transaction takes what it locks. Two that take the same things in the same order never wait for
 * each other in a circle.
 *
 * 1. The idempotency key of the call. It is tried and never waited for.
 * 2. The account (`lockAccount`): only by what changes the account itself, which then may go on to all its empresas.
 * 3. The empresa: shared as the transaction opens (`OwnerLock`), before anything under it is read or written; exclusive
 *    by who deletes it. While a transaction holds it the empresa stays, so whatever it finds under it stays too.
 * 4. The credential: an agent's grant.
 * 5. Rows under the empresa, several of one table by their id. `for no key update`, which lets others refer to the
 *    row; `for update` is for who deletes it.
 *
 * Nobody who holds a later thing waits for an earlier one.
 */

/**
 * Advisory locks of PostgreSQL that are held for a purpose, one number each. Idempotency keys use numbers of their
 * own making, spread over 64 bits.
 */
export const LOCKS = {
  migrate: 7_283_411,
  partitions: 7_283_412,
  load_nomina: 7_283_413,
  statements: 7_283_414,
  master_keys: 7_283_415,
  mailbox: 7_283_416,
  onboarding_letters: 7_283_417,
  rut_proof: 7_283_418,
} as const
