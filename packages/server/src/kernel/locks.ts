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
} as const
