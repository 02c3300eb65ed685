import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IN_FULL } from '../test/support/in-full.ts'
import { oneName, openFolder } from '../test/support/nomina-file.ts'
import { folderWithDatabase, query, start, startOwner } from '../test/support/postgres-folder.ts'

const TOOL = fileURLToPath(new URL('../dist/load-nomina.js', import.meta.url))

/** Runs the command as a person would, and gives what it said. */
async function run(env: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> {
  const tool = spawn(process.execPath, [TOOL, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk.toString()
  }
  tool.stdout.on('data', hear)
  tool.stderr.on('data', hear)
  const [code] = (await once(tool, 'close')) as [number]
  return { code, said }
}

async function names(name: string): Promise<string> {
  const folder = await openFolder()
  onTestFinished(folder.remove)
  return folder.put('PUB_NOMBRES_PJ.txt', oneName(name))
}

const LOADED = 'select legal_name from contribuyente'

describe('npm run load-nomina', () => {
  it.runIf(IN_FULL)('starts the embedded database by itself, loads into it, and leaves it stopped', async () => {
    const dataDir = await folderWithDatabase()
    const file = await names('UNO SPA')
    const { code, said } = await run({ DATA_DIR: dataDir }, file, '--published-at=2026-08-23')
    expect(said).toBe('PUB_NOMBRES_PJ.txt: 1 rows loaded\nThe nómina is in use from now on.\n')
    expect(code).toBe(0)
    expect(await query(await start(dataDir), LOADED)).toEqual([{ legal_name: 'UNO SPA' }])
  })

  it.runIf(IN_FULL)('loads into the database of a service that is running, which stays up', async () => {
    const dataDir = await folderWithDatabase()
    const { said: service } = await startOwner(dataDir)
    const { code, said } = await run({ DATA_DIR: dataDir }, await names('DOS SPA'), '--published-at=2026-08-23')
    expect(said).toContain('The service is running; loading into its database while it serves.')
    expect(code).toBe(0)
    expect(await query(service as { url: string }, LOADED)).toEqual([{ legal_name: 'DOS SPA' }])
  })

  it('says in words what is wrong, and fails', async () => {
    const file = await names('X')
    const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
    const cases = [
      await run(nowhere),
      await run(nowhere, '--publised-at=2026-08-23', file),
      await run(nowhere, '--published-at=2026-02-30', file),
      await run(nowhere, '--published-at=2026-08-23', file),
    ]
    const expected = [/npm run load-nomina --/, /npm run load-nomina --/, /must be a date/, /cannot be reached/]
    for (const [i, { code, said }] of cases.entries()) {
      expect(code).toBe(1)
      expect(said).toMatch(expected[i] as RegExp)
      expect(said).not.toMatch(/^\s+at /m)
    }
  })
})
