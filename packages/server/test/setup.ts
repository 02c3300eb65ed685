import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import startPostgres from './postgres.ts'
import { prepareTemplate } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where every world writes which operation raised which code, for the tally at the end of the run. */
    raisedFile: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-raised-'))
  const raisedFile = join(folder, 'raised')
  writeFileSync(raisedFile, '')
  project.provide('raisedFile', raisedFile)
  let url = ''
  const provide = ((key: string, value: string) => {
    if (key === 'postgresUrl') url = value
    project.provide(key as 'postgresUrl', value)
  }) as TestProject['provide']
  const stop = await startPostgres({ provide } as TestProject)
  await prepareTemplate(url)
  return async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
