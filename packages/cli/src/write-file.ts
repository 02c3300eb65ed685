import { writeFileSync } from 'node:fs'
import type { Context } from './command.ts'
import { cannotWrite } from './config/private-file.ts'

/** Writes a result to a file, or to stdout for `-`. Gives the name of the file, null for stdout. */
export function saveBytes({ out }: Context, name: string, bytes: Uint8Array): string | null {
  if (name === '-') {
    out.bytes(bytes)
    return null
  }
  try {
    writeFileSync(name, bytes)
  } catch (error) {
    throw cannotWrite(name, error, 'Free some space, or name another place with --output.')
  }
  return name
}
