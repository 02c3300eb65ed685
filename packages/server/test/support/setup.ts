import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { OPERATIONS } from '../../src/operations.ts'
import startPostgres from './postgres.ts'
import { prepareTemplate } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where every world writes which operation raised which code, for the tally at the end of the run. */
    raisedFile: string
  }
}

/** Every code an operation declares was raised by some test of the run. Only a run of everything can tell. */
function refuseUnraised(raisedFile: string): void {
  const raised = new Set(readFileSync(raisedFile, 'utf8').split('\n'))
  const missing = OPERATIONS.flatMap((operation) => {
    const declared = operation.api === 'bootstrap' ? operation.account_errors : operation.errors
    return declared.map((code) => `${operation.id} ${code}`)
  }).filter((pair) => !raised.has(pair))
  if (missing.length === 0) return
  console.error(`Declared and never raised by any test:\n  ${missing.join('\n  ')}`)
  process.exitCode = 1
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
    if (process.env.WHOLE_SUITE === '1') refuseUnraised(raisedFile)
    rmSync(folder, { recursive: true, force: true })
  }
}
