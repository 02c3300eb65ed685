import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('shell.mjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly input: string
}

export interface Shell {
  run(command: Command): Promise<Ended>
  close(): void
}

/** Runs the commands of a test one after the other in one process, through the entry that the program has. */
export function openShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  let child: ChildProcess | null = null
  let before: Promise<unknown> = Promise.resolve()

  function runNow(command: Command): Promise<Ended> {
    child ??= fork(PROGRAM, { cwd: folder, env, execArgv: [] })
    const running = child
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) =>
        reject(new Error(`\`timbre ${command.args.join(' ')}\` took its shell along, with ${code}`))
      running.once('exit', onExit)
      running.once('message', (ended) => {
        running.off('exit', onExit)
        resolve(ended as Ended)
      })
      running.send(command)
    })
  }

  return {
    run(command) {
      const ended = before.then(() => runNow(command))
      before = ended.catch(() => undefined)
      return ended
    },
    close: () => void child?.kill('SIGKILL'),
  }
}
