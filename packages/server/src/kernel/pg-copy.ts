import { once } from 'node:events'
import { from } from 'pg-copy-streams'
import type { Database } from './db.ts'

/** A COPY under way on a connection of its own. */
export interface CopyIn {
  /** Hands rows over, already in COPY's binary format; waits while the server is behind. */
  write(rows: Buffer): Promise<void>
  /** Commits what was written. */
  finish(): Promise<void>
  /** Takes back what was written, and leaves the connection usable where it still is. */
  abandon(): Promise<void>
}

export type Connection = Awaited<ReturnType<Database['connect']>>

// Enough to parse ahead while the server works on what it has.
const AHEAD_BYTES = 4 * 1024 * 1024

/** Every binary COPY begins with a signature, no flags and no extension, and ends with a row of -1 columns. */
const BEGINNING = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const ENDING = Buffer.from([0xff, 0xff])

/** Starts a COPY ... FROM STDIN WITH (FORMAT BINARY). Rows that are never finished are never committed. */
export function openCopyIn(connection: Connection, statement: string): CopyIn {
  const stream = connection.query(from(statement, { highWaterMark: AHEAD_BYTES }))
  stream.write(BEGINNING)
  let failure: Error | null = null
  // The stream may fail between two writes: the error is kept and thrown by the next one.
  stream.on('error', (error: Error) => {
    failure ??= error
  })
  const settled = async (event: 'drain' | 'finish') => {
    if (failure) throw failure
    await once(stream, event)
  }
  return {
    async write(rows) {
      if (failure) throw failure
      if (!stream.write(rows)) await settled('drain')
    },
    async finish() {
      stream.end(ENDING)
      await settled('finish')
    },
    async abandon() {
      if (failure) return
      const gone = once(stream, 'close').catch(() => undefined)
      stream.destroy(new Error('abandoned'))
      await gone
    },
  }
}
