import { hash, timingSafeEqual } from 'node:crypto'

/** How random secrets rest: SHA-256 is enough for 256 bits of chance, and one indexed read finds the row. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Compares two texts without telling by its duration where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hashSecret(given), hashSecret(expected))
}
