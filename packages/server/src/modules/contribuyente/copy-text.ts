const [TAB, NEWLINE, SPACE, ZERO, DASH, BACKSLASH, DELETE, LETTER_N] = [9, 10, 32, 48, 45, 92, 127, 78] as const
const DATE_PLACES = [9, 8, 6, 5, 3, 2, 1, 0] as const

/** Rows in COPY's text format, written into one buffer a chunk. Every column is followed by a tab until the row ends. */
export class CopyText {
  #out: Buffer = Buffer.alloc(0)
  #at = 0

  /** Makes room for what `bytes` of input can become: an empty column and its tab, one byte, are \N and a tab. */
  open(bytes: number): void {
    this.#out = Buffer.allocUnsafe(bytes * 3 + 64)
    this.#at = 0
  }

  get length(): number {
    return this.#at
  }

  /** Takes back a row that turned out wrong. */
  cutTo(length: number): void {
    this.#at = length
  }

  endRow(): void {
    this.#out[this.#at - 1] = NEWLINE
  }

  written(): Buffer {
    return this.#out.subarray(0, this.#at)
  }

  none(): void {
    this.#out[this.#at++] = BACKSLASH
    this.#out[this.#at++] = LETTER_N
    this.#out[this.#at++] = TAB
  }

  /** One ASCII character that needs no escape. */
  character(byte: number): void {
    this.#out[this.#at++] = byte
    this.#out[this.#at++] = TAB
  }

  number(value: number): void {
    let size = 1
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) size++
    for (let i = this.#at + size - 1, rest = value; i >= this.#at; i--, rest = (rest / 10) | 0) {
      this.#out[i] = ZERO + (rest % 10)
    }
    this.#at += size
    this.#out[this.#at++] = TAB
  }

  /** A date given as 20150301. */
  date(value: number): void {
    let rest = value
    for (const place of DATE_PLACES) {
      this.#out[this.#at + place] = ZERO + (rest % 10)
      rest = (rest / 10) | 0
    }
    this.#out[this.#at + 4] = DASH
    this.#out[this.#at + 7] = DASH
    this.#at += 10
    this.#out[this.#at++] = TAB
  }

  /** Text in UTF-8, or in ISO-8859-1 when told so. Control characters, NUL among them, become spaces. */
  text(input: Buffer, from: number, to: number, latin1: boolean): void {
    const out = this.#out
    let at = this.#at
    for (let i = from; i < to; i++) {
      const byte = input[i] as number
      if (byte < SPACE || byte === DELETE) {
        out[at++] = SPACE
      } else if (byte === BACKSLASH) {
        out[at++] = BACKSLASH
        out[at++] = BACKSLASH
      } else if (byte < 128 || !latin1) {
        out[at++] = byte
      } else if (byte < 160) {
        out[at++] = SPACE // in ISO-8859-1 a control character
      } else {
        out[at++] = 0xc0 | (byte >> 6)
        out[at++] = 0x80 | (byte & 0x3f)
      }
    }
    out[at++] = TAB
    this.#at = at
  }
}
