import { writeFileSync } from 'node:fs'
import type { Context } from './command.ts'
import { cannotWrite } from './config/private-file.ts'
import { CliError } from './exit.ts'

/** A screen that is sent the bytes of a PDF obeys some of them. */
function requireText({ isTerminal }: Context['out'], bytes: Uint8Array): void {
  if (!isTerminal || !bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return
  throw new CliError('usage', 'This is no text for a screen.', 'Name a file with --output FILE, or send - into a pipe.')
}

/** Writes a result to a file, or to stdout for `-`. Gives the name of the file, null for stdout. */
export function saveBytes({ out }: Context, name: string, bytes: Uint8Array): string | null {
  if (name === '-') {
    requireText(out, bytes)
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
