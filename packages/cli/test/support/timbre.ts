import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IN_FULL } from './in-full.ts'
import { type Ended, openShell } from './shell.ts'

export type { Ended } from './shell.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/timbre.mjs', import.meta.url))

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What it has said so far. */
  said(): { readonly stdout: string; readonly stderr: string }
}

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** A home of its own for a person at a terminal: configuration, state and files. */
export interface Home {
  readonly folder: string
  /** A process of its own, as a person starts it. */
  start(args: readonly string[], given?: Given): Running
  /**
   * The same command in the shell of this home, which spares it the start of a process. The long form starts one for each,
   * and so does a command that is to load something before itself.
   */
  run(args: readonly string[], given?: Given): Promise<Ended>
  /** Runs with --json and gives what was printed. */
  json<T = Record<string, unknown>>(args: readonly string[], given?: Given): Promise<T>
  close(): void
}

/** Whatever a test process was told about Timbre is nobody's business in a home. */
function surroundings(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TIMBRE_|XDG_|DBUS_|NO_COLOR|FORCE_COLOR)/.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}

export function openHome(settings: Readonly<Record<string, string>> = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-cli-'))
  const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') }
  const env = { ...surroundings(), ...own, ...settings }
  const start: Home['start'] = (args, { env: more = {}, input = '' } = {}) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { ...env, ...more } })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => undefined).end(input)
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }))
    })
    return { child, ended, said: () => ({ stdout, stderr }) }
  }
  const shell = openShell(folder, env)
  const run: Home['run'] = (args, given = {}) => {
    if (IN_FULL || given.env?.NODE_OPTIONS) return start(args, given).ended
    return shell.run({ args, env: { ...env, ...given.env }, input: given.input ?? '' })
  }
  return {
    folder,
    start,
    run,
    async json<T>(args: readonly string[], given?: Given) {
      const { code, stdout, stderr } = await run([...args, '--json'], given)
      if (code !== 0) throw new Error(`timbre ${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    close() {
      shell.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
