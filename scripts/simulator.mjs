import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled({ development: !isBuilt() })
build()
// In this very process: signals and exit code mean what they say.
await import(pathToFileURL(join(root, 'packages/sii-simulator/dist/main.js')).href)
