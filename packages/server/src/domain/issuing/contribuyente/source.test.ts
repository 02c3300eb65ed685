import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesFile } from '../../../../test/support/nomina-file.ts'
import { type ZipMember, zipOf } from '../../../../test/support/zip-file.ts'
import { sourcesIn } from './source.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-nomina-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function put(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

async function textOf(path: string): Promise<string> {
  const parts: Buffer[] = []
  for (const source of await sourcesIn(path)) for await (const chunk of source.read()) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

const text = namesFile(5000)
const names: ZipMember = { name: 'PUB_NOMBRES_PJ.txt', bytes: Buffer.from(text) }

describe('opening a nómina file', () => {
  it('reads the members of a .zip, in a folder and in any case, and skips the list of subtypes', async () => {
    const subtypes = { name: 'CODIGO_TIPO_SUBTIPO.txt', bytes: Buffer.from('x') }
    const path = await put('a.zip', zipOf([subtypes, { ...names, name: 'nominas/pub_nombres_pj.TXT' }]))
    expect(await sourcesIn(path)).toMatchObject([{ name: 'PUB_NOMBRES_PJ.txt', published: '2026-08-23T10:30:00' }])
    expect(await textOf(path)).toBe(text)
  })

  it('reads a member that is stored without packing', async () => {
    expect(await textOf(await put('stored.zip', zipOf([{ ...names, stored: true }])))).toBe(text)
  })

  it('knows a .zip by its bytes, and a text file says no date', async () => {
    expect(await textOf(await put('zip-without-ending', zipOf([names])))).toBe(text)
    const plain = await put('names.txt', text)
    expect(await sourcesIn(plain)).toMatchObject([{ name: 'names.txt', published: null }])
    expect(await textOf(plain)).toBe(text)
  })

  it('takes a .zip that carries no date as one that says none', async () => {
    const undated = { ...names, at: new Date('1980-01-01T00:00:00Z') }
    expect(await sourcesIn(await put('undated.zip', zipOf([undated])))).toMatchObject([{ published: null }])
  })
})

describe('refusing a nómina file', () => {
  const whole = zipOf([names])
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 200, 240)

  it.each([
    ['cut at the end', whole.subarray(0, whole.length - 30)],
    ['cut in half', whole.subarray(0, whole.length / 2)],
    ['damaged in the middle', damaged],
    ['of another content than its checksum says', zipOf([{ ...names, claimed_crc: 1, stored: true }])],
    ['longer than it says', zipOf([{ ...names, claimed_size: 100 }])],
    ['shorter than it says', zipOf([{ ...names, claimed_size: names.bytes.length + 100 }])],
    ['that is none at all', Buffer.from('<html>Not Found</html>')],
  ])('tells to download again a .zip %s', async (_, bytes) => {
    const path = await put('broken.zip', bytes)
    await expect(textOf(path)).rejects.toThrow(/broken\.zip: it is not a whole \.zip file\. Download it again\./)
  })

  it('does not open a member that would unpack beyond any nómina', async () => {
    const bomb = { ...names, bytes: Buffer.alloc(50 * 1024 * 1024) }
    await expect(sourcesIn(await put('bomb.zip', zipOf([bomb])))).rejects.toThrow(/far beyond any nómina/)
    const huge = { ...names, claimed_size: 0xfffffffe }
    await expect(sourcesIn(await put('huge.zip', zipOf([huge])))).rejects.toThrow(/far beyond any nómina/)
  })

  it('does not open what is no file of the nómina', async () => {
    const stranger = { name: '../../etc/passwd.txt', bytes: Buffer.from('x') }
    await expect(sourcesIn(await put('slip.zip', zipOf([names, stranger])))).rejects.toThrow()
    const other = { name: 'leeme.exe', bytes: Buffer.from('x') }
    await expect(sourcesIn(await put('other.zip', zipOf([names, other])))).rejects.toThrow(/"leeme\.exe", which is no/)
  })

  it('refuses a .zip of nothing useful, and one of too many files', async () => {
    const subtypes = { name: 'CODIGO_TIPO_SUBTIPO.txt', bytes: Buffer.from('x') }
    await expect(sourcesIn(await put('none.zip', zipOf([subtypes])))).rejects.toThrow(/none of its files/)
    await expect(sourcesIn(await put('many.zip', zipOf(Array(17).fill(names))))).rejects.toThrow(/it holds 17 files/)
  })

  it('says plainly that there is no such file', async () => {
    await expect(sourcesIn(join(folder, 'missing.zip'))).rejects.toThrow(/missing\.zip: there is no such file/)
    await expect(sourcesIn(folder)).rejects.toThrow(/there is no such file/)
  })
})
