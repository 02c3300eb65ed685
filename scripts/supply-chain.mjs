// Looks up known holes of what production depends on, and writes its bill of materials (CycloneDX) to dist/.

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SERIOUS = ['high', 'critical']

/** What `npm audit --json` found: null when it says nothing, because the registry did not answer. */
export function seriousHoles(text) {
  let report
  try {
    report = JSON.parse(text)
  } catch {
    return null
  }
  if (report === null || typeof report !== 'object' || typeof report.vulnerabilities !== 'object') return null
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => SERIOUS.includes(severity))
    .map(({ name, severity }) => `${name} (${severity})`)
}

function npm(args) {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: 60_000, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }
    execFile('npm', args, options, (_error, stdout) => resolve(stdout))
  })
}

async function run() {
  const [audit, sbom] = await Promise.all([
    npm(['audit', '--omit=dev', '--audit-level=high', '--json']),
    npm(['sbom', '--omit=dev', '--sbom-format', 'cyclonedx']),
  ])
  if (sbom.includes('CycloneDX')) {
    mkdirSync(`${ROOT}dist`, { recursive: true })
    writeFileSync(`${ROOT}dist/sbom.cdx.json`, sbom)
    console.log('Bill of materials: dist/sbom.cdx.json')
  } else console.warn('Bill of materials: NOT WRITTEN, npm could not make it.')
  const holes = seriousHoles(audit)
  if (holes === null) console.warn('npm audit: NOT CHECKED, the registry does not answer.')
  else if (holes.length === 0) console.log('npm audit: nothing high or critical in production.')
  else {
    console.error(`npm audit: ${holes.join(', ')}`)
    process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run()
