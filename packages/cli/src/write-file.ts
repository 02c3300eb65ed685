import { writeFileSync } from 'node:fs'
import type { Context } from './command.ts'
import { cannotWrite } from './config/private-file.ts'
import { CliError } from './exit.ts'
import { fileCopy } from './file-copy.ts'

/** A screen that is sent the bytes of a PDF obeys some of them. */
function requireText({ out, command }: Context, bytes: Uint8Array): void {
  if (!out.isTerminal || !bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return
  throw new CliError('usage', ...fileCopy(command).notForScreen)
}

/** Writes a result to a file, or to stdout for `-`. Gives the name of the file, null for stdout. */
export function saveBytes(ctx: Context, name: string, bytes: Uint8Array): string | null {
  if (name === '-') {
    requireText(ctx, bytes)
    ctx.out.bytes(bytes)
    return null
  }
  try {
    writeFileSync(name, bytes)
  } catch (error) {
    throw cannotWrite(name, error, fileCopy(ctx.command).freeSpace, ctx.command)
  }
  return name
}
