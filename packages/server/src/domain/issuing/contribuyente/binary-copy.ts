const [SPACE, DELETE] = [32, 127] as const
const NULL_LENGTH = -1
/** Days from 0000-03-01 to 2000-01-01, where PostgreSQL begins to count. */
const EPOCH_DAYS = 730_425

/**
 * Writes rows in the binary format of PostgreSQL's COPY, one buffer a chunk: every value is its length and its bytes.
 * The server takes them with a third less work than text, mostly because it does not have to parse dates.
 */
export class BinaryCopy {
  #out: Buffer = Buffer.alloc(0)
  #at = 0

  /** Allocates for what `bytes` of input can become: an empty column and its tab, one byte, are a length of four. */
  open(bytes: number): void {
    this.#out = Buffer.allocUnsafe(bytes * 5 + 64)
    this.#at = 0
  }

  get length(): number {
    return this.#at
  }

  /** Drops a row that turned out wrong. */
  cutTo(length: number): void {
    this.#at = length
  }

  written(): Buffer {
    return this.#out.subarray(0, this.#at)
  }

  beginRow(columns: number): void {
    this.#out[this.#at++] = columns >> 8
    this.#out[this.#at++] = columns
  }

  null(): void {
    this.#int32(NULL_LENGTH)
  }

  flag(value: boolean): void {
    this.#int32(1)
    this.#out[this.#at++] = value ? 1 : 0
  }

  number(value: number): void {
    this.#int32(4)
    this.#int32(value)
  }

  /** A date given as 20150301. */
  date(value: number): void {
    const day = value % 100
    const month = ((value / 100) | 0) % 100
    // Years from March on, so that the leap day is the last of its year.
    const year = ((value / 10_000) | 0) - (month <= 2 ? 1 : 0)
    const days = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0
    const leaps = ((year / 4) | 0) - ((year / 100) | 0) + ((year / 400) | 0)
    this.#int32(4)
    this.#int32(year * 365 + leaps + days + day - 1 - EPOCH_DAYS)
  }

  /** Text from UTF-8, or from ISO-8859-1 where `latin1`. Control characters, NUL among them, become spaces. */
  text(input: Buffer, from: number, to: number, latin1: boolean): void {
    const out = this.#out
    const start = this.#at + 4
    let at = start
    for (let i = from; i < to; i++) {
      const byte = input[i] as number
      if (byte < SPACE || byte === DELETE) {
        out[at++] = SPACE
      } else if (byte < 128 || !latin1) {
        out[at++] = byte
      } else if (byte < 160) {
        out[at++] = SPACE // in ISO-8859-1 a control character
      } else {
        out[at++] = 0xc0 | (byte >> 6)
        out[at++] = 0x80 | (byte & 0x3f)
      }
    }
    this.#int32(at - start)
    this.#at = at
  }

  #int32(value: number): void {
    const out = this.#out
    out[this.#at++] = value >> 24
    out[this.#at++] = value >> 16
    out[this.#at++] = value >> 8
    out[this.#at++] = value
  }
}
