import { parseArgs } from 'node:util'
import type { Command, OptionSpec, Options } from './command.ts'
import { CliError } from './exit.ts'

/** Those that every command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', says: 'Print JSON, for programs; what goes on and on prints a line for each.' },
  profile: { type: 'string', value: 'NAME', says: 'Work as this profile.' },
  url: { type: 'string', value: 'URL', says: 'Where the API is.' },
  empresa: { type: 'string', value: 'RUT', says: 'Act for this empresa.' },
  help: { type: 'boolean', short: 'h', says: 'Say what a command does and takes.' },
} as const satisfies Readonly<Record<string, OptionSpec>>

const SECRET_FLAG = /^--(key|api-key|password|pass|secret|token)(=|$)/

export interface Parsed {
  readonly command: Command | null
  readonly args: readonly string[]
  readonly options: Options
}

/** The longest name that the words begin with: `dte verify` before `dte`. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | null {
  const fits = ({ name }: Command) => name.split(' ').every((part, place) => words[place] === part)
  return commands.filter(fits).sort((one, other) => other.name.length - one.name.length)[0] ?? null
}

/** Words up to the first option: `timbre --json dte verify` finds its command too. */
function leadingWords(argv: readonly string[]): readonly string[] {
  const words: string[] = []
  for (let place = 0; place < argv.length; place++) {
    const word = argv[place] ?? ''
    if (word === '--') break
    if (!word.startsWith('-')) words.push(word)
    else if (!word.includes('=') && takesValue(word)) place++
  }
  return words
}

const takesValue = (word: string) =>
  Object.entries<OptionSpec>(GLOBAL_OPTIONS).some(([name, { type }]) => type === 'string' && word === `--${name}`)

/** `timbre help listen` is what `timbre listen --help` is. */
const withoutHelpWord = ([first, ...rest]: readonly string[]): readonly string[] =>
  first === 'help' ? [...rest, '--help'] : first === undefined ? [] : [first, ...rest]

export function parseCommandLine(commands: readonly Command[], typed: readonly string[]): Parsed {
  const argv = withoutHelpWord(typed)
  refuseSecrets(argv)
  const command = findCommand(commands, leadingWords(argv))
  const specs: Record<string, OptionSpec> = { ...GLOBAL_OPTIONS, ...command?.options }
  const { values, positionals } = parsed(specs, argv, command)
  const args = positionals.slice(command?.name.split(' ').length ?? 0)
  const options = readOptions(values)
  if (command && !options.flag('help')) {
    requireArguments(command, args)
    requireChoices(command, options)
  }
  return { command, args: command ? args : positionals, options }
}

function refuseSecrets(argv: readonly string[]): void {
  const flag = argv.map((word) => SECRET_FLAG.exec(word)?.[1]).find((name) => name !== undefined)
  if (flag === undefined) return
  const remedy = 'Set TIMBRE_KEY or TIMBRE_PASSWORD, or let `timbre login` store the key.'
  throw new CliError('usage', `--${flag} does not exist: \`ps\` and the history of the shell would show it.`, remedy)
}

function parsed(specs: Readonly<Record<string, OptionSpec>>, argv: readonly string[], command: Command | null) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  )
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    const remedy = `See \`timbre ${command ? `${command.name} ` : ''}--help\`.`
    throw new CliError('usage', `${said.replace(/\.$/, '')}.`, remedy)
  }
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

function readOptions(values: Values): Options {
  return {
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    flag: (name) => values[name] === true,
    list: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
    },
  }
}

function requireArguments({ name, arguments: specs = [] }: Command, args: readonly string[]): void {
  const remedy = `See \`timbre ${name} --help\`.`
  const missing = specs.find(({ optional }, place) => !optional && args[place] === undefined)
  if (missing) throw new CliError('usage', `\`timbre ${name}\` needs ${missing.name}: ${missing.says}`, remedy)
  const extra = args[specs.length]
  if (extra !== undefined) throw new CliError('usage', `\`timbre ${name}\` does not take "${extra}".`, remedy)
  for (const [place, { name: what, choices }] of specs.entries()) {
    const given = args[place]
    if (given === undefined || !choices || choices.includes(given)) continue
    throw new CliError('usage', `${what} cannot be "${given}".`, `It is one of: ${choices.join(', ')}.`)
  }
}

function requireChoices({ options: specs = {} }: Command, options: Options): void {
  for (const [name, { choices }] of Object.entries(specs)) {
    const wrong = choices && options.list(name).find((value) => !choices.includes(value))
    if (wrong) throw new CliError('usage', `--${name} cannot be "${wrong}".`, `It is one of: ${choices.join(', ')}.`)
  }
}
