import type { Api } from './api/api.ts'
import type { Settings } from './config/settings.ts'
import type { Output, Stream } from './output.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** How the value is called in help; a flag has none. */
  readonly value?: string
  readonly short?: string
  readonly multiple?: true
  readonly choices?: readonly string[]
  readonly says: string
}

export interface ArgumentSpec {
  readonly name: string
  readonly says: string
  readonly optional?: true
  readonly choices?: readonly string[]
  /** A path of a file, for completion. */
  readonly file?: true
}

/** A row of the table of commands: help, completion and the README derive from it. */
export interface Command {
  readonly name: string
  readonly group: string
  readonly summary: string
  /** Of what it says: Spanish where a person of the business reads. Default: English. */
  readonly language?: 'es'
  readonly description?: string
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: Readonly<Record<string, OptionSpec>>
  readonly examples?: readonly string[]
  /** Loaded when it is called: a start pays for one command alone. */
  readonly load: () => Promise<{ readonly run: (ctx: Context) => Promise<void> }>
}

export interface Options {
  text(name: string): string | undefined
  flag(name: string): boolean
  list(name: string): readonly string[]
}

export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
}

/** What a command is given. */
export interface Context {
  readonly command: Command
  readonly args: readonly string[]
  readonly options: Options
  readonly out: Output
  readonly stdin: Input
  readonly stderr: Stream
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** The profile and the environment together, read when first asked for. */
  settings(): Settings
  /** The API under the key in use. */
  api(): Promise<Api>
  /** Sets how the process ends without throwing: a file that is not valid is a result. */
  endsWith(name: 'invalid'): void
}
