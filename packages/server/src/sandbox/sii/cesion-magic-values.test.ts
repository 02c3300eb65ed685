import { readFileSync } from 'node:fs'
import { isRut } from '@timbre/dte/values'
import { describe, expect, it } from 'vitest'
import { MAGIC_CESIONARIOS, MAGIC_DEBTORS } from './cesion-magic-values.ts'
import { MAGIC } from './document-magic-values.ts'

const GUIDE = readFileSync(new URL('../../../../../docs/guides/testing.md', import.meta.url), 'utf8')
const ALL = [
  ...MAGIC_CESIONARIOS.map((magic) => ({ ...magic, who: 'cesionario' })),
  ...MAGIC_DEBTORS.map((magic) => ({ ...magic, who: 'receptor' })),
]

describe('the magic RUTs of the register', () => {
  it('check, each is there once, and none of them is magic to the rest of the sandbox', () => {
    const ruts = ALL.map(({ rut }) => rut)
    expect(ruts.filter((rut) => !isRut(rut))).toEqual([])
    expect(new Set([...ruts, ...MAGIC.map(({ receptor_rut }) => receptor_rut)]).size).toBe(ruts.length + MAGIC.length)
  })

  it.each(ALL)('$rut has its row in the guide', ({ who, rut, answer }) => {
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${who} | ${rut} |`)) ?? ''
    expect(row).toContain(answer ? `(${answer.code}) ${answer.glosa}` : '`confirmed`')
  })
})
