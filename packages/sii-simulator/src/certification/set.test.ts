import { describe, expect, it } from 'vitest'
import { expectedOf } from './expected.ts'
import { makeSet } from './make-set.ts'
import type { SectionKind } from './set.ts'
import { writeBoletaSet, writeSet } from './write-set.ts'

const KINDS: readonly SectionKind[] = ['basico', 'ventas', 'compras', 'guias', 'libro_guias', 'exenta', 'compra']
const AT = Date.parse('2026-12-31T15:00:00Z')
const made = (request: number, rut = '76543210-3') =>
  makeSet({ rut, request, at: AT, kinds: KINDS, first_attention: 4352553 })

describe('a set of tests', () => {
  it('has the same numbers for the same request of a company, and others for any other', () => {
    expect(made(1)).toEqual(made(1))
    const text = (request: number, rut?: string) => writeSet(made(request, rut)).toString('latin1')
    expect(text(1)).not.toBe(text(2))
    expect(text(1)).not.toBe(text(1, '77123456-9'))
  })

  it('is worth nothing two months after it was handed out', () => {
    expect(new Date(made(1).expires_at).toISOString()).toBe('2027-02-28T15:00:00.000Z')
  })

  it('is written as the files of the SII are: ISO-8859-1, CRLF, a heading for each case, columns by tabs', () => {
    const bytes = writeSet(made(1))
    const text = bytes.toString('latin1')
    expect(bytes.includes(Buffer.from('Caj\u00f3n AFECTO\t\t', 'latin1'))).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(text).toContain('SET BASICO - NUMERO DE ATENCION: 4352553\r\n')
    expect(text).toContain(
      'CASO 4352553-4\r\n==============\r\nDOCUMENTO\tFACTURA ELECTRONICA\r\n\r\nITEM\t\tCANTIDAD\t\tPRECIO UNITARIO\r\n',
    )
    expect(text).toMatch(/DESCUENTO GLOBAL ITEMES AFECTOS\t\t +\d+%\r\n/)
    expect(text).toContain(
      'REFERENCIA\t\tFACTURA ELECTRONICA CORRESPONDIENTE A CASO 4352553-2\r\nRAZON REFERENCIA\tDEVOLUCION DE MERCADERIAS\r\n\r\nITEM\t\tCANTIDAD\r\n',
    )
    expect(text).toMatch(/FACTURA ELECTRONICA\t+ 32\r\nFACTURA DEL GIRO CON DERECHO A CREDITO\r\n +\d+\t\t +\d+\r\n/)
    expect(text).toContain('DOCUMENTO\tGUIA DE DESPACHO\r\nMOTIVO:\t\tVENTA\r\nTRASLADO POR: \tCLIENTE\r\n')
    expect(text).toContain('REFERENCIA\t\tFACTURA NO AFECTA O EXENTA ELECTRONICA CORRESPONDIENTE A CASO 4352558-1')
    expect(text).toContain('ITEM\t\tVALOR UNITARIO\r\nHORAS PROGRAMADOR\t\t')
    expect(text).toContain('DEL IVA ES DE 0.60')
  })

  it('writes boletas in the columns of the only public sample, some of them to be annulled or lowered', () => {
    const written = Array.from({ length: 12 }, (_, at) => {
      const order = { rut: '76543210-3', request: at + 1, at: AT, kinds: ['boletas'], first_attention: 1 } as const
      const [section] = makeSet(order).sections
      if (section === undefined) throw new Error('a set has its sections')
      const lines = writeBoletaSet(section).toString('latin1').trim().split('\r\n')
      expect(lines[0]).toBe('Folio;IndExe;NmbItem;QtyItem;UnmdItem;PrcItem;Anular;Rebajar')
      expect(lines[1]).toMatch(/^1;;koyak el chupete;\d+;;\d+;1?;$/)
      expect(lines.at(-2)).toMatch(/^5;;Arroz;\d+;Kg;\d+;;([1-6]0)?$/)
      return lines.slice(1).filter((line) => /;(1;|;\d+)$/.test(line)).length
    })
    expect(new Set(written)).toEqual(new Set([0, 2]))
  })

  it('asks for notes that never exceed what they correct', () => {
    for (let request = 1; request <= 30; request++) {
      for (const section of made(request).sections) {
        for (const one of section.cases) {
          const original = section.cases.find(({ number }) => number === one.reference?.case)
          if (original === undefined || one.tipo !== 61) continue
          const [most = 0] = expectedOf(section, original).totals.map(({ total }) => total)
          for (const { total } of expectedOf(section, one).totals) expect(total).toBeLessThanOrEqual(most)
        }
      }
    }
  })
})
