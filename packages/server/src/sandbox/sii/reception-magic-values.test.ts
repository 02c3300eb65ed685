import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAGIC_SUPPLIERS, REGISTER_SENTENCES } from './reception-magic-values.ts'

const GUIDE = readFileSync(new URL('../../../../../docs/guides/testing.md', import.meta.url), 'utf8')

describe('the magic suppliers', () => {
  it('are all in the guide, with what happens and the code of the SII', () => {
    for (const { emisor_rut, happens, code } of MAGIC_SUPPLIERS) {
      const line = GUIDE.split('\n').find((one) => one.startsWith(`| ${emisor_rut} |`))
      expect(line, emisor_rut).toContain(happens)
      expect(line?.endsWith(`| ${code ?? ''} |`.replace('|  |', '| |')), emisor_rut).toBe(true)
    }
  })

  it('speak in words that the register has', () => {
    for (const { code } of MAGIC_SUPPLIERS) if (code !== undefined) expect(REGISTER_SENTENCES[code]).toBeTruthy()
  })
})
