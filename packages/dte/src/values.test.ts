import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeWithReference, readReference } from '../test/support/shared.ts'
import { addDays, addMonths, isCivilDate, santiagoDate, santiagoTimestamp } from './dates.ts'
import { decimalsOf, divideRounded, ivaOn, multiplyInPesos, netOfGross, percentOf } from './document/money.ts'
import { canonicalRut, checkDigit, formatRut, isRut, parseRut, printedRut } from './rut.ts'
import { ACTECOS, isActeco } from './tables/actecos.ts'
import { ADDITIONAL_TAXES, tiposOfTax } from './tables/additional-taxes.ts'
import { COMUNAS, siiOffice } from './tables/comunas.ts'
import { DOCUMENTS, isReferenceType } from './tables/documents.ts'
import { checkText } from './text.ts'
import { escapeAttribute, escapeText, latin1Bytes } from './xml/write.ts'

describe('a RUT', () => {
  it('is canonical only without dots, with a dash and the right digit', () => {
    for (const good of ['76543210-3', '60803000-K', '66666666-6', '1-9']) expect(isRut(good), good).toBe(true)
    for (const bad of ['76.543.210-3', '76543210-4', '60803000-k', '060803000-K', '-9', '1-', '', '123456789-2']) {
      expect(isRut(bad), bad).toBe(false)
    }
  })

  it('is understood however people type it', () => {
    for (const text of ['76.543.210-3', '765432103', ' 76543210-3 ', '076543210-3', '76.543.2103']) {
      expect(canonicalRut(text), text).toBe('76543210-3')
    }
    expect(canonicalRut('60.803.000-k')).toBe('60803000-K')
    for (const text of ['', '0-0', '7.65.43210-3', '76543210-9', 'K', `${'1'.repeat(200)}-1`])
      expect(parseRut(text)).toBeNull()
  })

  it('survives print and parse for every number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (number) => {
        const canonical = formatRut({ number, check_digit: checkDigit(number) })
        return isRut(canonical) && canonicalRut(printedRut(canonical)) === canonical
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a text', () => {
  it('says which character at which place is outside ISO-8859-1', () => {
    expect(checkText('Café ☕ grande', 80)).toEqual({
      rule: 'not_latin1',
      message: 'has ☕ (U+2615) at 5, outside ISO-8859-1',
      index: 5,
      character: '☕',
    })
    expect(checkText('👍 ok', 80)).toMatchObject({ index: 0, character: '👍' })
    expect(checkText('a\u0007b', 80)).toMatchObject({ rule: 'control_character', index: 1 })
    expect(checkText('a\nb', 80)).toMatchObject({ rule: 'control_character', index: 1 })
    expect(checkText('a\nb', 80, { multiline: true })).toBeNull()
  })

  it('is measured in characters and never cut', () => {
    expect(checkText('ñ'.repeat(80), 80)).toBeNull()
    expect(checkText('ñ'.repeat(81), 80)?.rule).toBe('too_long')
    expect(checkText('👍'.repeat(80), 80)?.rule).toBe('not_latin1')
    expect(checkText('👍'.repeat(81), 80)?.rule).toBe('too_long')
    expect(checkText('  ', 80)?.rule).toBe('empty')
  })
})

describe('money', () => {
  it('rounds halves away from zero', () => {
    expect([5n, -5n, 4n, 15n].map((dividend) => divideRounded(dividend, 10n))).toEqual([1n, -1n, 0n, 2n])
    expect(percentOf(159390, 5)).toBe(7970)
    expect(percentOf(1350, 19)).toBe(257)
    expect(multiplyInPesos(0.5, 1)).toBe(1)
  })

  it('counts the decimals of a number as it is written', () => {
    expect([1, 1.5, 0.000001, 1e-7, 1e21, 0.1 + 0.2].map(decimalsOf)).toEqual([
      0,
      1,
      6,
      Number.POSITIVE_INFINITY,
      0,
      17,
    ])
  })

  it('splits any gross amount into net and tax that add up to it and are nearest to the rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (gross) => {
        const net = netOfGross(gross, 19)
        const iva = gross - net
        return net + iva === gross && Math.abs(percentOf(net, 19) - iva) <= 1
      }),
      { numRuns: 3000 },
    )
  })

  it('multiplies like exact arithmetic', () => {
    const millionths = fc.integer({ min: 0, max: 10 ** 12 })
    fc.assert(
      fc.property(millionths, fc.integer({ min: 0, max: 10 ** 10 }), (quantity, price) => {
        const exact = divideRounded(BigInt(quantity) * BigInt(price), 10n ** 10n)
        return BigInt(multiplyInPesos(quantity / 1e6, price / 1e4)) === exact
      }),
      { numRuns: 3000 },
    )
  })

  it('knows the IVA of each day', () => {
    expect([ivaOn('2003-09-30'), ivaOn('2003-10-01'), ivaOn('2026-10-05')]).toEqual([18, 19, 19])
  })
})

describe('dates', () => {
  it('exist in the calendar or are refused', () => {
    for (const good of ['2026-02-28', '2024-02-29', '2000-02-29']) expect(isCivilDate(good), good).toBe(true)
    for (const bad of ['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '2026-04-31', '']) {
      expect(isCivilDate(bad), bad).toBe(false)
    }
  })

  it('are those of Santiago, in summer and in winter', () => {
    expect(santiagoDate(new Date('2026-01-01T02:59:59Z'))).toBe('2025-12-31')
    expect(santiagoTimestamp(new Date('2026-01-01T03:00:00Z'))).toBe('2026-01-01T00:00:00')
    expect(santiagoTimestamp(new Date('2026-07-01T03:59:59Z'))).toBe('2026-06-30T23:59:59')
  })

  it('move by days over the ends of months and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
    expect(addDays('2026-09-05', 1)).toBe('2026-09-06') // the night on which clocks go forward in Chile
  })

  it('move by months to the last day of a shorter one', () => {
    expect(addMonths('2026-08-31', 6)).toBe('2027-02-28')
    expect(addMonths('2026-10-01', 6)).toBe('2027-04-01')
    expect(addMonths('2026-12-31', -1)).toBe('2026-11-30')
  })
})

describe('the writer', () => {
  it('escapes what canonical XML escapes and nothing else', () => {
    expect(escapeText(`a & b < c > d "e" 'f'\r\n\t`)).toBe(`a &amp; b &lt; c &gt; d "e" 'f'&#xD;\n\t`)
    expect(escapeAttribute(`a & b < c > d "e" 'f'\r\n\t`)).toBe(`a &amp; b &lt; c > d &quot;e&quot; 'f'&#xD;&#xA;&#x9;`)
  })

  it('refuses to write a character that ISO-8859-1 lacks', () => {
    expect([...latin1Bytes('Ñé')]).toEqual([0xd1, 0xe9])
    expect(() => latin1Bytes('a€')).toThrow('character 1')
  })
})

describe('the tables', () => {
  it('find the office of a comuna however it is accented', () => {
    expect(siiOffice('maipu')).toBe('MAIPÚ')
    expect(siiOffice('  San  Pedro de Atacama')).toBe('CALAMA')
    expect(siiOffice('SAN PEDRO DE LA PAZ')).toBe('CONCEPCIÓN')
    expect(siiOffice('Santiago')).toBe('SANTIAGO CENTRO')
    expect(siiOffice('Seattle')).toBeNull()
  })

  it('hold the 346 comunas once each', () => {
    expect(COMUNAS.length).toBe(346)
    expect(new Set(COMUNAS).size).toBe(346)
  })

  it('know which kinds a reference may name', () => {
    expect(['33', '801', 'SET', 'HES', '999'].map(isReferenceType)).toEqual([true, true, true, true, false])
  })

  it('keep withholding to purchases and additional taxes to sales', () => {
    expect(tiposOfTax(15)).toEqual([46, 56, 61])
    expect(tiposOfTax(24)).toContain(33)
    expect(tiposOfTax(999)).toEqual([])
  })
})

interface Rows {
  readonly items: readonly Readonly<Record<string, unknown>>[]
}
const rows = (name: string): Rows['items'] => (JSON.parse(readReference('data', name).toString('utf8')) as Rows).items

describeWithReference('the tables against the published ones', () => {
  it('every economic activity is there under the same code', () => {
    const codes = rows('actecos.json').map(({ codigo }) => Number(codigo))
    expect(codes.filter((code) => !isActeco(code))).toEqual([])
    expect(Object.keys(ACTECOS).length).toBe(codes.length)
  })

  it('every additional tax has the same rate', () => {
    for (const { codigo, tasa, kind } of rows('impuestos_adicionales.json')) {
      const tax = ADDITIONAL_TAXES[codigo as keyof typeof ADDITIONAL_TAXES]
      expect(tax.rate === 'full' ? 19 : tax.rate, String(codigo)).toBe(tasa)
      expect(tax.kind === 'withheld', String(codigo)).toBe(kind === 'R')
    }
  })

  it('every comuna whose name was published whole has the same office', () => {
    const known = rows('comunas.json').filter(({ comuna }) => siiOffice(String(comuna)) !== null)
    const shared_names = ['SAN PEDRO', 'SAN GREGORIO']
    const wrong = known.filter(({ comuna, oficina_sii }) => siiOffice(String(comuna)) !== oficina_sii)
    expect(wrong.filter(({ comuna }) => !shared_names.includes(String(comuna)))).toEqual([])
    expect(known.length).toBeGreaterThan(315)
  })

  it('every document type a reference may name is known', () => {
    const codes = rows('tipos_documento.json').map(({ codigo }) => Number(codigo))
    expect(codes.filter((code) => code < 900 && !Object.hasOwn(DOCUMENTS, code))).toEqual([])
  })
})
