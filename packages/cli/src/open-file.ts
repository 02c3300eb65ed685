import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['explorer.exe'] }

/** Shows a file or a page with whatever the desktop uses for it. False when there is nothing to show it with. */
export function openOnDesktop(target: string): Promise<boolean> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
