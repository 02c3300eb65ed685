import type { TestProject } from 'vitest/node'
import { openServer } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the server of this package's tests answers. */
    timbreUrl: string
  }
}

/** One server for all files, as `npm start` runs it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  project.provide('timbreUrl', server.url)
  return async () => {
    await server.stop()
    server.forget()
  }
}
