import { closest } from './closest.ts'
import type { Command, OptionSpec } from './command.ts'
import { CliError } from './exit.ts'
import { GLOBAL_OPTIONS } from './parse.ts'

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

export function usageOf({ name, arguments: specs = [], options = {} }: Command): string {
  const args = specs.map((spec) => (spec.optional ? `[${spec.name}]` : spec.name))
  return ['timbre', name, ...args, ...(Object.keys(options).length > 0 ? ['[options]'] : [])].join(' ')
}

function optionRow([name, { short, value, multiple }]: readonly [string, OptionSpec]): string {
  const long = `--${name}${value ? ` ${value}` : ''}${multiple ? ' …' : ''}`
  return short ? `-${short}, ${long}` : `    ${long}`
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): readonly (readonly [string, string])[] {
  return Object.entries(options).map((entry) => {
    const [, { says, choices }] = entry
    return [optionRow(entry), choices ? `${says} One of: ${choices.join(', ')}.` : says] as const
  })
}

/** Commands by their groups, in the order of the table. */
export function byGroup(commands: readonly Command[]): ReadonlyMap<string, readonly Command[]> {
  const groups = new Map<string, Command[]>()
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  return groups
}

export function overview(commands: readonly Command[]): string {
  const groups = [...byGroup(commands)].map(
    ([group, rows]) => `${group}\n${columns(rows.map(({ name, summary }) => [name, summary]))}`,
  )
  return [
    'Timbre in a terminal.',
    'Usage: timbre COMMAND [options]',
    ...groups,
    `Options of every command\n${columns(optionRows({ ...GLOBAL_OPTIONS, version: { type: 'boolean', says: 'Print the version.' } }))}`,
    'A first hour: `timbre init`, `timbre listen --forward-to http://127.0.0.1:4242/webhooks`, `timbre trigger document.accepted`.',
  ].join('\n\n')
}

export function helpOf(command: Command): string {
  const { summary, description, arguments: specs = [], options = {}, examples = [] } = command
  return [
    summary,
    `Usage: ${usageOf(command)}`,
    ...(description ? [description] : []),
    ...(specs.length > 0
      ? [
          columns(
            specs.map(({ name, says, choices }) => [name, choices ? `${says} One of: ${choices.join(', ')}.` : says]),
          ),
        ]
      : []),
    ...(Object.keys(options).length > 0 ? [`Options\n${columns(optionRows(options))}`] : []),
    ...(examples.length > 0 ? [`Examples\n${examples.map((line) => `  ${line}`).join('\n')}`] : []),
    'Options of every command: `timbre --help`.',
  ].join('\n\n')
}

/** Words that are no command: those of a group (`timbre dte`) get its list, others the nearest name. */
export function helpForUnknown(commands: readonly Command[], words: readonly string[]): string {
  const typed = words.join(' ')
  const inside = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (inside.length > 0 && words.length === 1) return columns(inside.map(({ name, summary }) => [name, summary]))
  const near = closest(
    typed,
    commands.map(({ name }) => name),
  )
  throw new CliError(
    'usage',
    `There is no command "${typed}".`,
    near ? `Did you mean \`timbre ${near}\`?` : 'See `timbre --help`.',
  )
}
