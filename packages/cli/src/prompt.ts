import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Context } from './command.ts'
import { codeOf } from './config/private-file.ts'
import { CliError } from './exit.ts'

function requireTerminal({ stdin, command }: Context, what: string): void {
  if (stdin.isTTY) return
  const remedy = `Run it on a terminal, or see \`timbre ${command.name} --help\` for how to give it otherwise.`
  throw new CliError('usage', `${what}: there is no terminal to ask on.`, remedy)
}

/** Ctrl-C and Ctrl-D: on a terminal they come to the question, and not as a signal. */
function givenUp(error: unknown): never {
  if (codeOf(error) === 'ABORT_ERR') throw new CliError('interrupted', 'Interrupted.')
  throw error
}

/** Asks on stderr: stdout is the result. */
export async function ask(ctx: Context, question: string): Promise<string> {
  requireTerminal(ctx, question)
  const lines = createInterface({ input: ctx.stdin, output: ctx.stderr })
  try {
    return (await lines.question(`${question}: `, { signal: ctx.signal }).catch(givenUp)).trim()
  } finally {
    lines.close()
  }
}

/** The same without showing what is typed. */
export async function askSecret(ctx: Context, question: string): Promise<string> {
  requireTerminal(ctx, question)
  ctx.stderr.write(`${question}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: ctx.stdin, output: silent, terminal: true })
  try {
    return await lines.question('', { signal: ctx.signal }).catch(givenUp)
  } finally {
    lines.close()
    ctx.stderr.write('\n')
  }
}
