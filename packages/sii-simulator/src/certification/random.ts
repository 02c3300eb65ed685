import { createHash } from 'node:crypto'

/** Numbers that look like any and are always the same for the same seed. */
export interface Numbers {
  /** A whole number, both ends included. */
  between(least: number, most: number): number
}

export function numbersFrom(seed: string): Numbers {
  let block = 0
  let bytes = Buffer.alloc(0)
  const next = () => {
    if (bytes.length < 4) {
      bytes = createHash('sha256').update(`${seed}:${block}`).digest()
      block++
    }
    const word = bytes.readUInt32BE(0)
    bytes = bytes.subarray(4)
    return word
  }
  return { between: (least, most) => least + (next() % (most - least + 1)) }
}
