import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DataDirInUse } from './errors.ts'
import { lockFolder } from './folder-lock.ts'
import { birthOf, pidNamespace } from './process-table.ts'

const us = { pid: process.pid, birth: birthOf(process.pid), place: pidNamespace() }

it('a released folder is free at once, and only the ruling claim is kept', async () => {
  const folder = await freshFolder()
  for (let round = 0; round < 3; round += 1) await (await lockFolder(folder)).release()
  expect(await readdir(folder)).toEqual(['lock.3'])
})

it('a folder claimed by a live process is refused with its pid', async () => {
  const folder = await freshFolder()
  await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(`${folder} is already in use by process ${process.pid}`)
})

it('a claim is dead when its pid is gone, or was given to another process', async () => {
  const folder = await freshFolder()
  await claim(folder, 7, { ...us, birth: 'long ago' })
  await (await lockFolder(folder)).release()
  await claim(folder, 9, { ...us, pid: 2 ** 22 + 1 })
  await (await lockFolder(folder)).release()
})

it('of many that claim at once exactly one wins', async () => {
  const folder = await freshFolder()
  await claim(folder, 1, { ...us, birth: 'long ago' })
  const rivals = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
  expect(rivals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a claim from another container is believed while it is kept fresh, and dead once it falls silent', async () => {
  const folder = await freshFolder()
  const elsewhere = { pid: 1, birth: '', place: 'elsewhere' }
  await claim(folder, 1, elsewhere)
  const beat = setInterval(() => void claim(folder, 1, elsewhere, 'r+'), 300)
  onTestFinished(() => clearInterval(beat))
  await expect(lockFolder(folder)).rejects.toThrow(DataDirInUse)
  clearInterval(beat)
  await (await lockFolder(folder)).release()
})

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function claim(folder: string, number: number, owner: object, flag = 'w'): Promise<void> {
  await writeFile(join(folder, `lock.${number}`), JSON.stringify(owner), { flag })
}
