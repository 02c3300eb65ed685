import { spawn } from 'node:child_process'

const OPENERS = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''], linux: ['xdg-open'] }

/** Shows a file to the person at the terminal; where there is no person or no screen, it is only saved. */
export function openFile(path) {
  const [command, ...args] = OPENERS[process.platform] ?? []
  const screen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!command || !screen || !process.stdout.isTTY || process.env.CI) return
  spawn(command, [...args, path], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
