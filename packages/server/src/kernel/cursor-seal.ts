import { createHmac, hkdfSync } from 'node:crypto'
import { sameSecret } from './secret.ts'
import type { MasterKeys } from './vault.ts'

/** Marks text as ours: nobody without the master key writes a mark that fits, and no fit is told by its duration. */
export interface CursorSeal {
  readonly chars: number
  mark(text: string): string
  fits(text: string, mark: string): boolean
}

// 132 bits: more than enough to guess in vain, and short in an address.
const CHARS = 22

const markWith = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, CHARS)

/** Marks with the current key, and takes what any of the others marked. */
export function openCursorSeal({ keys, current }: MasterKeys): CursorSeal {
  const derived = [...keys]
    .sort(([a], [b]) => Number(b === current) - Number(a === current))
    .map(([, key]) => Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), 'timbre cursor', 32)))
  const [newest] = derived
  if (!newest) throw new Error('no master key')
  return {
    chars: CHARS,
    mark: (text) => markWith(newest, text),
    fits: (text, mark) => derived.some((key) => sameSecret(mark, markWith(key, text))),
  }
}
