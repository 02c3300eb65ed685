import type { Writable } from 'node:stream'

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const CODES: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export interface Stream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Progress {
  update(done: number, total: number, what?: string): void
  end(): void
}

interface OutputOptions {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly json: boolean
  readonly colour: boolean
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
/** The colours of `paint`, and no other sequence: none of them moves the cursor, names the window or hides a line. */
const PAINT = new RegExp(`(\u001b\\[(?:0|${Object.values(CODES).join('|')})m)`)

/** Text that others wrote, without what would move the cursor, colour the screen or turn the line around. */
export function plain(text: unknown): string {
  return String(text).replace(CONTROL, '').replace(/\s+/g, ' ')
}

/** JSON whose strings, whoever wrote them, do nothing to a terminal; a program reads the same out of it. */
export function jsonText(value: unknown, indent = 0): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return (JSON.stringify(value, null, indent) ?? 'null').replace(CONTROL, escaped)
}

/** Results go to stdout, everything else to stderr: a pipe gets the result alone. */
export class Output {
  readonly json: boolean
  readonly #stdout: Stream
  readonly #stderr: Stream
  readonly #colour: boolean

  constructor({ stdout, stderr, json, colour }: OutputOptions) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.json = json
    this.#colour = colour
  }

  paint(colour: Colour, text: string): string {
    return this.#colour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
  }

  /** The answer of a command: the value for programs, the text for people. */
  result(value: unknown, text: string | (() => string)): void {
    const shown = this.json ? jsonText(value, 2) : this.#harmless(typeof text === 'string' ? text : text())
    this.#stdout.write(`${shown}\n`)
  }

  /** One of many results that come as they happen; a line of JSON each for programs. */
  line(value: unknown, text: string): void {
    this.#stdout.write(`${this.json ? jsonText(value) : this.#harmlessLine(text)}\n`)
  }

  bytes(bytes: Uint8Array): void {
    this.#stdout.write(bytes)
  }

  /** A line for the person at the terminal, beside the result. */
  note(text: string): void {
    this.#stderr.write(`${this.#harmlessLine(text)}\n`)
  }

  /** Whatever is printed holds text of others somewhere: what would steer a terminal is taken out at the last moment. */
  #harmless(text: string): string {
    const parts = this.#colour ? text.split(PAINT) : [text]
    return parts.map((part, place) => (place % 2 === 1 ? part : part.replace(CONTROL, ''))).join('')
  }

  /** One that nobody can break into two, to say something in our name. */
  #harmlessLine(text: string): string {
    return this.#harmless(text).replaceAll('\n', ' ')
  }

  get isTerminal(): boolean {
    return this.#stdout.isTTY === true
  }

  /** A bar on a terminal, nothing elsewhere: a log file full of bars helps nobody. */
  progress(label: string): Progress {
    if (this.json || !this.#stderr.isTTY) return { update: () => undefined, end: () => undefined }
    const width = 24
    return {
      update: (done, total, what = '') => {
        // Nobody knows how much there is: then only that it goes on.
        if (total === 0) {
          this.#stderr.write(`\r\u001b[2K${`${label} …`.slice(0, (this.#stderr.columns ?? 80) - 1)}`)
          return
        }
        const share = total > 0 ? Math.min(done / total, 1) : 0
        const full = Math.round(share * width)
        const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
        const text = `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} % ${plain(what)}`
        this.#stderr.write(`\r\u001b[2K${text.slice(0, (this.#stderr.columns ?? 80) - 1)}`)
      },
      end: () => void this.#stderr.write('\r\u001b[2K'),
    }
  }
}

/** Rows under their headings, as wide as their longest cell. Cells are text of anybody. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((cell) => plain(cell ?? '')))
  const widths = headings.map((heading, place) =>
    Math.max(heading.length, ...cells.map((row) => row[place]?.length ?? 0)),
  )
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, place) => (place === row.length - 1 ? cell : cell.padEnd(widths[place] ?? 0)))
      .join('  ')
      .trimEnd()
  return [headings, ...cells].map(lineOf).join('\n')
}

/** Names and values, one pair a line. Those without a value are left out. */
export function pairs(entries: readonly (readonly [string, unknown])[]): string {
  const known = entries.filter(([, value]) => value !== undefined && value !== null && value !== '')
  const width = Math.max(0, ...known.map(([name]) => name.length))
  return known.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join('\n')
}

/** `$1.234.567`. */
export function pesos(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, '.')}`
}
