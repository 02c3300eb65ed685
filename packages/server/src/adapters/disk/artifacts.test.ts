import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diskArtifacts } from './artifacts.ts'

const KEY = 'acct_a/emp_b/01jd/doc_c.letter.pdf'
const PDF = Buffer.from('%PDF-1.4 a page %%EOF')

describe('artifacts on disk', () => {
  let root: string
  const troubles: unknown[] = []
  const open = (folder: string) => diskArtifacts({ folder, onTrouble: (error) => void troubles.push(error) })
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'timbre-artifacts-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it('come back as they were put, in files and folders that only their owner reads', async () => {
    const folder = join(root, 'plain')
    const artifacts = open(folder)
    expect(await artifacts.get(KEY)).toBeNull()
    await artifacts.put(KEY, PDF)
    await artifacts.put(KEY, PDF)
    expect(Buffer.from((await artifacts.get(KEY)) ?? [])).toEqual(PDF)
    expect((await stat(join(folder, KEY))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'acct_a/emp_b'))).mode & 0o777).toBe(0o700)
    // A reader of PDFs finds a PDF: what seals it stands behind its end.
    expect((await readFile(join(folder, KEY))).subarray(0, PDF.length)).toEqual(PDF)
    expect(await readdir(join(folder, 'acct_a/emp_b/01jd'))).toEqual(['doc_c.letter.pdf'])
  })

  it('are as good as lost once a single byte of them is', async () => {
    const folder = join(root, 'damaged')
    const artifacts = open(folder)
    const file = join(folder, KEY)
    await artifacts.put(KEY, PDF)
    await truncate(file, 20)
    expect(await artifacts.get(KEY)).toBeNull()
    await artifacts.put(KEY, PDF)
    const bytes = await readFile(file)
    bytes[5] = (bytes[5] ?? 0) ^ 1
    await writeFile(file, bytes)
    expect(await artifacts.get(KEY)).toBeNull()
    await writeFile(file, '')
    expect(await artifacts.get(KEY)).toBeNull()
    expect(troubles).toEqual([])
  })

  it('go with their folder and leave the others', async () => {
    const artifacts = open(join(root, 'dropped'))
    const other = 'acct_a/emp_z/01jd/doc_d.letter.pdf'
    await artifacts.put(KEY, PDF)
    await artifacts.put(other, PDF)
    await artifacts.drop('acct_a/emp_b')
    await artifacts.drop('acct_a/emp_b')
    expect(await artifacts.get(KEY)).toBeNull()
    expect(await artifacts.get(other)).not.toBeNull()
  })

  it('that cannot be written are told and cost nothing else', async () => {
    const folder = join(root, 'a-file')
    await writeFile(folder, 'in the way')
    const artifacts = open(folder)
    await artifacts.put(KEY, PDF)
    expect(troubles).toHaveLength(1)
    expect(await artifacts.get(KEY)).toBeNull()
    expect(await readFile(folder, 'utf8')).toBe('in the way')
  })

  it('have no way out of their folder', async () => {
    const artifacts = open(join(root, 'safe'))
    for (const key of ['../x', 'a/../../x', '/etc/passwd', 'a//b', '', '.', 'a/.hidden', 'a\\b']) {
      await expect(artifacts.put(key, PDF)).rejects.toThrow(/not a key/)
      await expect(artifacts.drop(key)).rejects.toThrow(/not a key/)
    }
  })
})
