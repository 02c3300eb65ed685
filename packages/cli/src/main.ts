import type { Context } from './command.ts'
import { COMMANDS } from './commands.ts'
import { fromEnvironment, isDumbTerminal } from './config/env.ts'
import { openSettings, type Settings } from './config/settings.ts'
import { CliError, EXIT } from './exit.ts'
import { jsonText, Output, plain } from './output.ts'
import { parseCommandLine } from './parse.ts'
import { VERSION } from './version.ts'

/** One run of the program: its arguments in, its exit code out. */
export async function main(argv: readonly string[]): Promise<number> {
  const json = argv.includes('--json')
  const colour = process.stdout.isTTY === true && !fromEnvironment('NO_COLOR') && !isDumbTerminal()
  const out = new Output({ stdout: process.stdout, stderr: process.stderr, json, colour: colour && !json })
  // A reader that has seen enough, such as `head`, is no failure; one that does not want to hear of failures, neither.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const interruption = catchInterrupts()
  try {
    return await run(argv, out, interruption.signal)
  } catch (error) {
    return report(error, out, interruption.signal)
  } finally {
    interruption.stop()
  }
}

async function run(argv: readonly string[], out: Output, signal: AbortSignal): Promise<number> {
  if (['--version', '-v', 'version'].includes(argv[0] ?? '')) {
    out.result({ version: VERSION }, VERSION)
    return EXIT.ok.code
  }
  const { command, args, options } = parseCommandLine(COMMANDS, argv)
  if (!command || options.flag('help')) {
    const { helpForUnknown, helpOf, overview } = await import('./help.ts')
    const text = command ? helpOf(command) : args.length > 0 ? helpForUnknown(COMMANDS, args) : overview(COMMANDS)
    out.result({ help: text }, text)
    return EXIT.ok.code
  }
  let code: number = EXIT.ok.code
  let settings: Settings | null = null
  const ctx: Context = {
    command,
    args,
    options,
    out,
    signal,
    stdin: process.stdin,
    stderr: process.stderr,
    settings: () => {
      const given = { profile: options.text('profile'), url: options.text('url'), empresa: options.text('empresa') }
      settings ??= openSettings(given, (text) => out.note(text))
      return settings
    },
    api: async () => (await import('./api/connect.ts')).connect(ctx),
    endsWith: (name) => {
      code = EXIT[name].code
    },
  }
  const { run: runCommand } = await command.load()
  await runCommand(ctx)
  return code
}

/** Ctrl-C lets a command end what it is at; a second one does not wait. */
function catchInterrupts(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted.code)
    controller.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    stop: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  }
}

async function report(error: unknown, out: Output, signal: AbortSignal): Promise<number> {
  const known = error instanceof CliError ? error : (await import('./api/explain.ts')).explain(error)
  if (signal.aborted || known.exit === 'interrupted') {
    out.note('Interrupted.')
    return EXIT.interrupted.code
  }
  if (out.json) {
    const { message, remedy = null, exit, facts } = known
    out.note(jsonText({ error: { message, remedy, exit, ...facts } }))
  } else {
    out.note(`${out.paint('red', 'Error:')} ${plain(known.message)}`)
    if (known.remedy) out.note(plain(known.remedy))
  }
  return EXIT[known.exit].code
}
