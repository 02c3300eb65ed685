import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

interface Entry {
  version?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Entry>

interface EnsureInstalled {
  whyNotThisNode(version: string): string | null
  whyInstall(
    wanted: Packages,
    installed: Packages | null,
    machine: { development: boolean; platform: string; arch: string; has: (path: string) => boolean },
  ): string | null
}

const script = (name: string) => import(new URL(`../../../scripts/${name}`, import.meta.url).href)
const { whyInstall, whyNotThisNode } = (await script('ensure-installed.mjs')) as EnsureInstalled
const { leftOut } = (await script('complete-lock.mjs')) as { leftOut(packages: Packages): Packages }

const here = { development: true, platform: 'linux', arch: 'x64', has: () => true }
const pg = { version: '8.0.0', integrity: 'sha512-a' }
const vitest = { version: '4.0.0', integrity: 'sha512-b', dev: true }
const binary = (os: string) => ({ version: '1.0.0', integrity: `sha512-${os}`, optional: true, os: [os], cpu: ['x64'] })
const wanted: Packages = {
  '': {},
  'packages/server': {},
  'node_modules/@timbre/server': { link: true },
  'node_modules/pg': pg,
  'node_modules/vitest': vitest,
  'node_modules/binary-linux': binary('linux'),
  'node_modules/binary-darwin': binary('darwin'),
}
const { 'node_modules/binary-darwin': _other, ...installed } = wanted

describe('an installation', () => {
  it('is complete without the packages of other systems', () => {
    expect(whyInstall(wanted, installed, here)).toBeNull()
  })

  it('is needed when nothing is there, or a package is missing, older, or not what the lockfile names', () => {
    const { 'node_modules/pg': _pg, ...without } = installed
    const { 'node_modules/@timbre/server': _link, ...unlinked } = installed
    expect(whyInstall(wanted, null, here)).toBe('The packages are not installed yet')
    expect(whyInstall(wanted, without, here)).toBe('pg is not installed')
    expect(whyInstall(wanted, unlinked, here)).toBe('@timbre/server is not installed')
    for (const other of [{ version: '7.0.0' }, { integrity: 'sha512-z' }]) {
      const changed = { ...installed, 'node_modules/pg': { ...pg, ...other } }
      expect(whyInstall(wanted, changed, here)).toBe('pg is not at version 8.0.0')
    }
  })

  it('is needed when its record names a package that is not there', () => {
    for (const name of ['pg', '@timbre/server', 'binary-linux']) {
      const has = (path: string) => path !== `node_modules/${name}`
      expect(whyInstall(wanted, installed, { ...here, has })).toBe(`${name} is not installed`)
    }
  })

  it('is needed again when it was made on another system', () => {
    expect(whyInstall(wanted, wanted, here)).toBe('The packages were installed for another system')
    expect(whyInstall(wanted, installed, { ...here, arch: 'arm64' })).toBe(
      'The packages were installed for another system',
    )
  })

  it('needs no tools where a built server only runs', () => {
    const { 'node_modules/vitest': _tool, ...lean } = installed
    expect(whyInstall(wanted, lean, here)).toBe('vitest is not installed')
    expect(whyInstall(wanted, lean, { ...here, development: false })).toBeNull()
  })
})

describe('Node', () => {
  it.each(['20.20.0', '20.21.3', '22.0.0', '24.1.0'])('%s is new enough', (version) => {
    expect(whyNotThisNode(version)).toBeNull()
  })

  it.each(['18.20.0', '20.19.9'])('%s is refused by name', (version) => {
    expect(whyNotThisNode(version)).toContain(`Node ${version}`)
  })
})

describe('package-lock.json', () => {
  it('names every optional package, or npm ci refuses it: node scripts/complete-lock.mjs', async () => {
    const lock = await readFile(new URL('../../../package-lock.json', import.meta.url), 'utf8')
    expect(Object.keys(leftOut(JSON.parse(lock).packages))).toEqual([])
  })

  it('is completed with the system of each package, so that no other system fetches it', () => {
    const tool = {
      dev: true,
      optionalDependencies: { '@x/tool-linux-arm64-musl': '1.2.3', '@x/tool-win32-x64-gnu': '1.2.3' },
    }
    expect(leftOut({ 'node_modules/tool': tool, 'node_modules/@x/tool-win32-x64-gnu': {} })).toEqual({
      'node_modules/@x/tool-linux-arm64-musl': {
        version: '1.2.3',
        dev: true,
        optional: true,
        os: ['linux'],
        cpu: ['arm64'],
        libc: ['musl'],
      },
    })
  })
})
