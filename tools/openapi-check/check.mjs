// Generates clients from our contracts as integrators do, compiles them in strict mode and tries them, and has the contracts linted.
// The tools rest in a lockfile of their own: no installation of the service needs them, and they want another TypeScript than ours.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('./', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONTRACTS = ['v1', 'bootstrap']

// Neither telemetry nor a look for newer versions: nothing here calls anybody.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }

function run(args, cwd) {
  try {
    return execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (failure) {
    console.error(failure.stdout, failure.stderr)
    throw new Error(`${args[0].slice(args[0].lastIndexOf('node_modules'))} ended with ${failure.status}`)
  }
}

const tool = (path) => join(HERE, 'node_modules', path)
const contract = (name) => join(ROOT, 'openapi', `${name}.json`)

/** What `@redocly/cli lint` finds, warnings among it; what is passed over stands in .redocly.lint-ignore.yaml. */
function lint() {
  const totals = CONTRACTS.map((name) => {
    const { problems, totals } = JSON.parse(run([tool('@redocly/cli/bin/cli.js'), 'lint', name, '--format=json'], ROOT))
    for (const { ruleId, message, location } of problems)
      console.error(`${ruleId}: ${message} ${location?.[0]?.pointer}`)
    if (totals.errors + totals.warnings > 0) throw new Error(`Redocly finds fault with ${name}`)
    return totals.ignored
  })
  return `nothing; ${totals.reduce((sum, one) => sum + one)} are passed over by name`
}

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
}

function compile(dir, files, options) {
  const config = join(dir, `tsconfig.${files[0]}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files }))
  run([tool('typescript/bin/tsc'), '-p', config], dir)
}

function openapiTypescript(dir) {
  for (const name of CONTRACTS) {
    run([tool('openapi-typescript/bin/cli.js'), contract(name), '-o', join(dir, `${name}.ts`)], dir)
  }
  cpSync(join(HERE, 'smoke/openapi-typescript.ts'), join(dir, 'types.ts'))
  compile(dir, ['types.ts'], { noEmit: true, allowImportingTsExtensions: true, exactOptionalPropertyTypes: true })
  return 'its types compile and tell apart what the contract does'
}

function heyApi(dir) {
  for (const name of CONTRACTS) {
    const out = ['-o', join(dir, `hey-${name}`), '-c', '@hey-api/client-fetch', '--no-log-file', '--silent']
    run([tool('@hey-api/openapi-ts/bin/run.js'), '-i', contract(name), ...out], dir)
  }
  cpSync(join(HERE, 'smoke/hey-api.ts'), join(dir, 'client.ts'))
  compile(dir, ['client.ts', 'hey-bootstrap/index.ts'], { outDir: 'built', rootDir: '.' })
  run([join(dir, 'built/client.js'), contract('examples')], dir)
  return 'its client compiles, calls and reads'
}

const dir = mkdtempSync(join(tmpdir(), 'timbre-openapi-'))
try {
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  console.log(`@redocly/cli lint: ${lint()}.`)
  console.log(`openapi-typescript: ${openapiTypescript(dir)}.`)
  console.log(`@hey-api/openapi-ts: ${heyApi(dir)}.`)
} catch (failure) {
  console.error(failure.message)
  process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
