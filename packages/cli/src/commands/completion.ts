import type { Context } from '../command.ts'
import { COMMANDS } from '../commands.ts'
import { completionScript, type Shell } from '../completion.ts'

export async function run({ args, out }: Context): Promise<void> {
  const script = completionScript(args[0] as Shell, COMMANDS)
  out.result({ script }, script.trimEnd())
}
