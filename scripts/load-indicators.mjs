import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled({ development: !isBuilt() })
build()
await import(pathToFileURL(join(root, 'packages/server/dist/load-indicators.js')).href)
