import { expect, it } from 'vitest'
import type { DoorRequest } from '../door.ts'
import { readMultipart } from './multipart.ts'

const form = (fields: number) => {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`
  const body = `${Array.from({ length: fields }, (_, nth) => part(`f${nth}`)).join('')}--b--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return readMultipart({ headers, body: Buffer.from(body) } as unknown as DoorRequest, 1_000)
}

it('a form has as many parts as an upload may need, and one with more is no form: it is not read at all', async () => {
  expect(Object.keys((await form(20))?.fields ?? {})).toHaveLength(20)
  expect(await form(26)).toBeNull()
})
