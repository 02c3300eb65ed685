// Needs nothing but Node: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const OLDEST_NODE = [20, 20]

/**
 * Installs the packages that package-lock.json names unless they are all there. `development` asks for the tools too;
 * a server that is already built runs without them.
 */
export function ensureInstalled({ development = true } = {}) {
  const refusal = whyNotThisNode(process.versions.node)
  if (refusal) stop(refusal)
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(join(root, 'node_modules/.package-lock.json'))
  const has = (path) => existsSync(join(root, path, 'package.json'))
  const why = whyInstall(wanted, installed, { development, platform: process.platform, arch: process.arch, has })
  if (why) install(why)
}

export function whyNotThisNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return null
  return `Timbre needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${version}.`
}

/**
 * Compares the lockfile with the record npm leaves at the end of an installation. Null when nothing is to be done. An
 * optional package may be missing (it is for another system), but one that is there must be for this one: a folder
 * copied from another machine is not an installation. `has` looks for the package itself: the record of a folder that
 * was copied by links, or cleaned by hand, names packages that are not there.
 */
export function whyInstall(wanted, installed, { development, platform, arch, has }) {
  if (!installed) return 'The packages are not installed yet'
  for (const [path, { version, integrity, link, optional, dev }] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || (dev && !development)) continue
    const found = installed[path]
    if (!found) {
      if (optional) continue
      return `${nameOf(path)} is not installed`
    }
    if (!has(path)) return `${nameOf(path)} is not installed`
    if (link) continue
    if (found.version !== version || found.integrity !== integrity)
      return `${nameOf(path)} is not at version ${version}`
    if (!isFor(found.os, platform) || !isFor(found.cpu, arch)) return 'The packages were installed for another system'
  }
  return null
}

function isFor(list, value) {
  return !list || list.includes(value) || (list.every((item) => item.startsWith('!')) && !list.includes(`!${value}`))
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return null
  }
}

function install(why) {
  console.log(`${why}. Running npm ci: this takes about half a minute, once.`)
  if (!canWrite(root)) stop(`This user may not write to ${root}, so nothing can be installed there.`)
  const borrowed = canCache() ? null : mkdtempSync(join(tmpdir(), 'timbre-npm-'))
  const env = borrowed ? { ...process.env, npm_config_cache: borrowed } : process.env
  const [command, ...before] = npmCommand()
  // No package needs its install script; the ones that ship one (PostgreSQL's) are completed when they are first used.
  const args = [...before, 'ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, error } = spawnSync(command, [...args, '--loglevel=error'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (borrowed) rmSync(borrowed, { recursive: true, force: true })
  if (error) stop(`npm could not be run: ${error.message}`)
  if (status !== 0) stop('npm ci failed; what it said is above. It needs to reach your npm registry.')
}

// The npm that runs us, if one does: the one on PATH may be another version, or missing.
function npmCommand() {
  const running = process.env.npm_execpath
  return running && basename(running).startsWith('npm') ? [process.execPath, running] : ['npm']
}

// npm fails when its cache cannot be written: a read-only home, none at all, or one where root once left its files.
function canCache() {
  const cache = join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_cacache')
  try {
    mkdirSync(cache, { recursive: true })
    rmSync(mkdtempSync(join(cache, 'try-')), { recursive: true })
    return true
  } catch {
    return false
  }
}

function canWrite(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function stop(message) {
  console.error(message)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled()
