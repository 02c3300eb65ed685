import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

const built = isBuilt()
ensureInstalled({ development: !built })
if (!built) build()
followParent()
// Node names itself so from 21 on. Where nobody does, the driver of PostgreSQL makes a `Response` to see where it runs, and all of
// fetch is loaded for it.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` }
// In this very process: signals, exit code and kill -9 then mean what they say.
await import(pathToFileURL(join(root, 'packages/server/bundle/main.js')).href)

/** Killed with kill -9, npm cannot pass anything on. Nobody would know of us then, so we stop as if asked to. */
function followParent() {
  if (!process.env.npm_lifecycle_event) return
  const born = lineage()
  const timer = setInterval(() => {
    if (lineage() === born) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 1_000)
  timer.unref()
}

// npm runs us in a shell; where that shell stays in between, it outlives npm and so must be looked past.
function lineage() {
  const parent = process.ppid
  try {
    const [, name, above] = /\((.*)\) \S+ (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))
    return /sh$/.test(name) ? `${parent} ${above}` : `${parent}`
  } catch {
    return `${parent}`
  }
}
