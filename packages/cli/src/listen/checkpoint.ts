import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { codeOf, writePrivately } from '../config/private-file.ts'
import { CliError } from '../exit.ts'
import type { SeenDeliveries } from './replays.ts'

/** How far a listener is. It holds the secret that signs, so it is private. */
export interface Checkpoint {
  readonly version: 1
  readonly account: string
  readonly mode: string
  /** The last event that is done with; null while the ledger was empty. */
  readonly after: string | null
  readonly done_at: string
  readonly deliveries: SeenDeliveries
  /** Signs what is forwarded, the same every time: a receiver is configured once. */
  readonly secret: string
}

/** `whsec_` and 32 random bytes in base64, as the server makes them. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export function loadCheckpoint(file: string): Checkpoint | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CliError(
      'file',
      `${file} cannot be read: ${codeOf(error)}.`,
      'Look at its owner, or name another with --checkpoint.',
    )
  }
  try {
    const read = JSON.parse(text) as Checkpoint
    if (read.version === 1 && typeof read.secret === 'string') return read
  } catch {
    // Told below.
  }
  throw new CliError(
    'file',
    `${file} is no checkpoint of \`timbre listen\`.`,
    'Name another file with --checkpoint, or move this one away.',
  )
}

export function saveCheckpoint(file: string, checkpoint: Checkpoint): void {
  const remedy = `Free some space, or name another place with --checkpoint. Nothing is lost: the next \`timbre listen\` carries on after ${checkpoint.after ?? 'the beginning'} or shortly before.`
  writePrivately(file, `${JSON.stringify(checkpoint, null, 2)}\n`, remedy)
}
