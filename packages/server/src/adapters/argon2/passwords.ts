import { hash, verify } from '@node-rs/argon2'
import { randomSecret } from '../../kernel/id.ts'
import type { Passwords } from '../../ports/passwords.ts'

export interface Cost {
  readonly memory_kib: number
  readonly passes: number
}

/** What OWASP's password storage guidance asks for. */
const OWASP: Cost = { memory_kib: 19_456, passes: 2 }

/** Argon2id. */
export function argon2Passwords({ memory_kib, passes }: Cost = OWASP): Passwords {
  const cost = { algorithm: 2, memoryCost: memory_kib, timeCost: passes, parallelism: 1 }
  /** A hash that no password has. */
  let decoy: Promise<string> | undefined
  return {
    hash: (password) => hash(password, cost),
    async matches(password, password_hash) {
      decoy ??= hash(randomSecret(), cost)
      const against = password_hash ?? (await decoy)
      const same = await verify(against, password).catch(() => false)
      return same && password_hash !== null
    },
  }
}
