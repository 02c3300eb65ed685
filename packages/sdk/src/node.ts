import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import type { Checkpoint } from './checkpoint.ts'
import { CheckpointError } from './errors.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT'])

function unsaved(file: string, event_id: string, cause: unknown): CheckpointError {
  const { code } = cause as { code?: string }
  const why = FULL.has(code ?? '') ? 'the disk is full' : ((cause as Error).message ?? code)
  return new CheckpointError({
    code: 'checkpoint_not_saved',
    message: `The place in the ledger could not be saved in ${file}: ${why}.`,
    hint:
      `${FULL.has(code ?? '') ? 'Free some space' : 'Make it writable'} and start again: it goes on from the last place that was ` +
      `saved. Event ${event_id} was handled and comes once more, so leave out ids that you know.`,
    cause,
  })
}

/** Writes a file that was not there, and waits until it is on the disk. */
async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The place that a file holds; null where there is none yet. */
async function readPlace(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((cause: { code?: string }) => {
    if (cause.code === 'ENOENT') return null
    throw new CheckpointError({
      code: 'checkpoint_unreadable',
      message: `The place in the ledger could not be read from ${file}: ${cause.code}.`,
      hint: 'Make the file readable, or choose another.',
      cause,
    })
  })
  if (text === null) return null
  const place = text.trim()
  if (/^[\w-]{1,200}$/.test(place)) return place
  throw new CheckpointError({
    code: 'checkpoint_unreadable',
    message: `${file} holds something other than the place in a ledger.`,
    hint: 'Choose another file, or delete it to begin with what happens from now on.',
  })
}

function inUse(file: string): CheckpointError {
  return new CheckpointError({
    code: 'checkpoint_in_use',
    message: `Another program keeps its place in the ledger in ${file} too.`,
    hint: 'Let one of them follow, or give each a file of its own. What it handles is not lost: the other goes on.',
  })
}

/**
 * Keeps the place in a file. It is written beside and moved over, so that a crash or a full disk leaves the old place and
 * never half of a new one. A file that somebody else moved on is left to them: two followers of one file would each handle
 * what the other has. A lock would outlive whoever is killed.
 */
export function fileCheckpoint(file: string, write = writeNew): Checkpoint {
  /** What this follower saw last: undefined before it looked. */
  let last: string | null | undefined
  return {
    async load() {
      last = await readPlace(file)
      return last
    },
    async save(event_id) {
      if (last !== undefined) {
        const place = await readPlace(file)
        // One that was deleted by hand is begun anew.
        if (place !== null && place !== last) throw inUse(file)
      }
      // A name of its own each time, and never one that is there: two programs, or a link that somebody laid, stay apart.
      const beside = `${file}.${randomUUID()}.tmp`
      try {
        await write(beside, `${event_id}\n`)
        await rename(beside, file)
      } catch (cause) {
        await rm(beside, { force: true }).catch(() => undefined)
        throw unsaved(file, event_id, cause)
      }
      last = event_id
    },
  }
}
