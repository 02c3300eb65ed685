#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as module from 'node:module'

// From Node 22.1 on what was compiled at one start is kept for the next. Where the folder for it cannot be written, nothing is.
module.enableCompileCache?.()

// A package that was installed brings everything in `bundle`. A checkout runs what was compiled from its sources, and compiles
// them first where they have changed.
const in_checkout = existsSync(new URL('../src', import.meta.url))
if (in_checkout) {
  const { compileIfChanged } = await import('./checkout.mjs')
  compileIfChanged()
}
const { main } = await import(in_checkout ? '../dist/main.js' : '../bundle/main.js')
process.exitCode = await main(process.argv.slice(2))
