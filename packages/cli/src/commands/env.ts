import type { Context } from '../command.ts'
import { requireKey } from '../config/settings.ts'
import { CliError } from '../exit.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** For `eval`, so that programs on the SDK work as the profile does. A screen is no place for a key. */
export async function run({ settings: open, out }: Context): Promise<void> {
  if (out.isTerminal) {
    throw new CliError('usage', 'This would show the key on the screen.', 'Run: eval "$(timbre env)"')
  }
  const settings = open()
  const variables = {
    TIMBRE_URL: settings.url,
    TIMBRE_KEY: requireKey(settings),
    ...(settings.empresa && { TIMBRE_EMPRESA: settings.empresa }),
  }
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`)
  out.result(variables, lines.join('\n'))
}
