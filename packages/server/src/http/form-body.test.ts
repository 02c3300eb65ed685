import { describe, expect, it } from 'vitest'
import { jsonOfForm } from './form-body.ts'

const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const read = async (text: string, content_type = 'multipart/form-data; boundary=x') => {
  try {
    return JSON.parse((await jsonOfForm(Buffer.from(text, 'latin1'), content_type)).toString())
  } catch (error) {
    return (error as { code?: string }).code
  }
}
const END = '--x--\r\n'

describe('a form as JSON', () => {
  it('has its texts as they are and its files in base64, also one that holds the boundary of nobody', async () => {
    const file = part('file', '\u0000\u00ff--y\r\n\r\n', '; filename="a.pfx"')
    const written = { file: Buffer.from('\u0000\u00ff--y\r\n\r\n', 'latin1').toString('base64'), password: 'a b' }
    expect(await read(file + part('password', 'a b') + END)).toEqual(written)
    expect(await read(file + part('password', 'a b') + END, 'multipart/form-data; boundary="x"')).toEqual(written)
  })

  it('invalid_json when it is cut short, has no boundary, or has more parts or longer headings than any form here', async () => {
    const broken = [
      '',
      'hola',
      END,
      part('a', 'b'),
      Array.from({ length: 9 }, (_, i) => part(`a${i}`, 'b')).join('') + END,
      `--x\r\n${'A: b\r\n'.repeat(1_000)}\r\nb\r\n${END}`,
    ]
    for (const text of broken) expect(await read(text), text.slice(0, 40)).toBe('invalid_json')
    expect(await read(part('a', 'b') + END, 'multipart/form-data')).toBe('invalid_json')
    expect(await read(part('a', 'b') + END)).toEqual({ a: 'b' })
  })

  it('invalid_field for a field that is sent twice, and a name of the language is a name', async () => {
    expect(await read(part('a', 'b') + part('a', 'c') + END)).toBe('invalid_field')
    expect(Object.keys(await read(part('__proto__', 'b') + END))).toEqual(['__proto__'])
  })
})
