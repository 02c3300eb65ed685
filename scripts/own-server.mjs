import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

async function answers(url) {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
    server.on('error', reject)
  })
}

/** A server to talk to: the one that answers at `url`, or one of our own in a folder that goes with it. */
export async function ensureServer(url, say) {
  if (await answers(url)) return { url, is_own: false, stop: async () => undefined }
  if (process.env.TIMBRE_URL) throw new Error(`nothing answers at ${url}`)
  say(`Nothing answers at ${url} (npm start would): starting a server that ends with this run.\n`)
  return startServer(process.env.PORT ? { PORT: process.env.PORT } : {})
}

/** Where to read on: at a server that goes on, or at the one that `npm start` keeps running. */
export function whereNext({ url, is_own }) {
  return is_own
    ? 'That server has stopped, and its data with it. npm start keeps one running, and says where its reference is.'
    : `Next: the reference is at ${url}/docs, and every error explains itself at ${url}/docs/errors.`
}

/** A server of our own, in a folder that goes with it; what `npm start` runs, or another program that answers. */
export async function startServer(settings = {}, program = join(root, 'scripts/start.mjs')) {
  // Here, and not while the server is waited for: a build may take as long as the patience for a start.
  const built = isBuilt()
  ensureInstalled({ development: !built })
  if (!built) build()
  const port = settings.PORT ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'timbre-quickstart-'))
  const own_settings = { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn', npm_lifecycle_event: '' }
  const env = { ...process.env, ...own_settings, ...settings }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const own = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries++) {
    if (await answers(own)) return { url: own, folder, is_own: true, stop }
    if (child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error('the server did not start; what it said is above')
}
