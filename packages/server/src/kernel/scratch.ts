// Bytes that nobody reads once the call that made them has ended, such as the text of an event while its difference is found. Node cuts
// small buffers from slabs of 8 KB, and a slab stays for as long as one slice of it does. What is cast off at once must not lie between
// differences that wait for their statement: V8 would carry both into its old space, and it collects the whole heap for every 64 MB of
// such bytes. Each time it also throws away the code of whatever function is made anew for each batch (decision 0037).

const room = Buffer.allocUnsafeSlow(1 << 16)
/** A letter of a text takes three bytes at most: those beyond the first 65,536 are written as two letters, which take four. */
const MOST_OF_A_LETTER = 3

/** So many bytes, whatever they hold. Good until the next are asked for, so never across an `await`. */
export function scratch(size: number): Buffer {
  return size > room.length ? Buffer.allocUnsafeSlow(size) : room.subarray(0, size)
}

/** The same for what may hold a secret: nothing of it stays in room that is everybody's. */
export function inScratch<T>(size: number, use: (bytes: Buffer) => T): T {
  const bytes = scratch(size)
  try {
    return use(bytes)
  } finally {
    if (bytes.buffer === room.buffer) bytes.fill(0)
  }
}

/** A text in UTF-8, for as long. */
export function scratchText(text: string): Buffer {
  if (text.length * MOST_OF_A_LETTER > room.length) return Buffer.from(text, 'utf8')
  return room.subarray(0, room.write(text, 0, 'utf8'))
}
