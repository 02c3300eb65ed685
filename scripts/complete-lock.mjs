// Run after `npm install` has changed package-lock.json.
//
// npm leaves an optional package out of the lockfile when the registry at hand does not carry it (the binaries of a
// system nobody there uses), and then `npm ci` refuses that same lockfile everywhere. This adds what was left out, by
// name and exact version, so that an installation works on every system, with a full registry or a partial one.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './ensure-installed.mjs'

const SYSTEMS = {
  os: ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'],
  cpu: ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'],
}
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** Every optional package that some locked package names and the lockfile lacks. */
export function leftOut(packages) {
  const missing = {}
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (resolves(packages, parent, name)) continue
      missing[`node_modules/${name}`] = entryOf(name, version, dev)
    }
  }
  return missing
}

// Node's own lookup: beside the parent, then in every folder above it.
function resolves(packages, parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (`${folder && `${folder}/`}node_modules/${name}` in packages) return true
    if (folder === '') return false
  }
}

// Without its system npm would try to fetch the package on every machine. By convention the name ends with it. The
// order is npm's own, so that its next run leaves these lines alone.
function entryOf(name, version, dev) {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.os.filter((item) => words.includes(item))
  const cpu = SYSTEMS.cpu.filter((item) => words.includes(item))
  const libc = os.includes('linux') ? words.map((word) => LIBC[word]).filter(Boolean) : []
  return {
    version,
    ...(cpu.length && { cpu }),
    ...(dev && { dev }),
    ...(libc.length && { libc }),
    optional: true,
    ...(os.length && { os }),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const missing = leftOut(lock.packages)
  const all = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`)
  console.log(`Added ${Object.keys(missing).length} optional packages to package-lock.json`)
}
