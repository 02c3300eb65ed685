import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { rememberContent, stampOfTree, wasContent } from '../../../scripts/checked-before.mjs'

const folder = mkdtempSync(join(tmpdir(), 'timbre-checked-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
const initialise = () => expect(spawnSync('git', ['init', '--quiet'], { cwd: folder, env }).status).toBe(0)
const HAS_GIT = spawnSync('git', ['--version']).status === 0
if (!HAS_GIT) console.warn('skipped what a check remembers of a repository: there is no git')

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  write('.gitignore', 'node_modules\n')
  write('a.ts', 'one')
})

describe('a check that was content', () => {
  it.skipIf(!HAS_GIT)('is spared while no file of ours changes, and only then', () => {
    initialise()
    expect(wasContent(folder, 'lint')).toBe(false)
    rememberContent(folder, 'lint', stampOfTree(folder))
    expect([wasContent(folder, 'lint'), wasContent(folder, 'types')]).toEqual([true, false])
    write('b.ts', 'a new file')
    expect(wasContent(folder, 'lint')).toBe(false)
    rmSync(join(folder, 'b.ts'))
    expect(wasContent(folder, 'lint')).toBe(true)
    write('a.ts', 'two')
    expect(wasContent(folder, 'lint')).toBe(false)
  })

  it.skipIf(!HAS_GIT)('is not remembered where a file changed while it ran', () => {
    initialise()
    const before = stampOfTree(folder)
    write('a.ts', 'two')
    rememberContent(folder, 'lint', before)
    write('a.ts', 'one')
    expect(wasContent(folder, 'lint')).toBe(false)
  })

  it('is run again where git does not know the folder', () => {
    expect(stampOfTree(folder)).toBeNull()
    rememberContent(folder, 'lint', stampOfTree(folder))
    expect(wasContent(folder, 'lint')).toBe(false)
  })
})
