import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from '../command.ts'
import { CliError } from '../exit.ts'
import { fileCopy } from '../file-copy.ts'

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function cannotWrite(file: string, error: unknown, remedy: string, command: Pick<Command, 'language'> = {}) {
  const code = codeOf(error)
  const said = fileCopy(command)
  return new CliError('file', `${file} ${said.cannotWrite}: ${said.why[code] ?? (code || String(error))}.`, remedy)
}

/** A file that nobody but its owner reads, replaced as a whole: a crash leaves the old one or the new one. */
export function writePrivately(file: string, text: string, remedy: string): void {
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Made anew: in a folder that others write to, a link of that name would carry a secret to a place of theirs.
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o600, flush: true, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw cannotWrite(file, error, remedy)
  }
}

/** Its text, or null when there is none. One that others could read is closed to them first. */
export function readPrivately(file: string, onOpened: () => void): string | null {
  try {
    const { mode } = statSync(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      chmodSync(file, 0o600)
      onOpened()
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CliError('file', `${file} cannot be read: ${codeOf(error)}.`, 'Look at its owner and its permissions.')
  }
}
