#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A package that was installed brings everything in `bundle`. A checkout runs what was compiled from its sources, and compiles
// them first where they have changed.
const sources = new URL('../src', import.meta.url)
if (existsSync(sources)) {
  const { compileIfChanged } = await import('./checkout.mjs')
  compileIfChanged()
}
const { main } = await import(existsSync(sources) ? '../dist/main.js' : '../bundle/main.js')
process.exitCode = await main(process.argv.slice(2))
