import type { Options } from './command.ts'
import { CliError } from './exit.ts'

/** A number of things to show, up to what a page of the API holds. */
export function requireCount(options: Options, name: string, usual: number): number {
  const text = options.text(name)
  if (text === undefined) return usual
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text)
  throw new CliError('usage', `--${name} cannot be "${text}".`, 'It is a number up to 100.')
}
