import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled({ development: !isBuilt() })
build()
followParent()
// In this very process: signals, exit code and kill -9 then mean what they say.
await import(pathToFileURL(join(root, 'packages/server/dist/main.js')).href)

/** Killed with kill -9, npm cannot pass anything on. Nobody would know of us then, so we stop as if asked to. */
function followParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  timer.unref()
}
