import { describe, expect, it } from 'vitest'
import { type NotUnderstood, readSet, SetError } from '../src/index.ts'
import { BASICO, BOLETAS, bytesOf, COMPRAS, GUIAS, LIBRO_GUIAS, OWN_SET, VENTAS } from './support/own-set.ts'

const text = (lines: readonly string[], encoding: BufferEncoding = 'utf8') => Buffer.from(lines.join('\n'), encoding)
const complaintsOf = (lines: readonly string[]): readonly NotUnderstood[] =>
  readSet(bytesOf(lines)).sections.flatMap(({ not_understood }) => not_understood)
/** The section with one line put in place of another. */
const changed = (lines: readonly string[], from: string, to: string) => {
  expect(lines.filter((line) => line === from)).toHaveLength(1)
  return lines.map((line) => (line === from ? to : line))
}

describe('a set', () => {
  it('is read into its sections, whatever their order', () => {
    const { sections } = readSet(OWN_SET)
    expect(sections.flatMap(({ not_understood }) => not_understood)).toEqual([])
    expect(sections.map(({ kind, attention, cases }) => [kind, attention, cases.length])).toEqual([
      ['libro_ventas', '900005', 0],
      ['libro_compras', '900006', 0],
      ['basico', '900001', 6],
      ['libro_guias', '900007', 0],
      ['guias', '900002', 3],
      ['compra', '900004', 2],
      ['exenta', '900003', 2],
      ['boletas', null, 3],
    ])
  })

  it('says of each case its document, items, discounts and reference, with their lines', () => {
    const cases = readSet(bytesOf(BASICO)).sections[0]?.cases ?? []
    expect(cases[0]?.items).toEqual([
      { line: 8, name: 'Mesa AFECTO', quantity: 10, unit_price: 1000, discount_percent: 10, exempt: false },
      { line: 9, name: 'Silla AFECTO', quantity: 4, unit_price: 500, exempt: false },
    ])
    expect(cases[1]?.items[1]?.exempt).toBe(true)
    expect(cases[1]?.global_discounts).toEqual([{ line: 19, percent: 25 }])
    expect(cases[3]?.reference).toEqual({
      line: 30,
      tipo_dte: 33,
      case_id: '900001-1',
      code: 3,
      reason: 'DEVOLUCION DE MERCADERIAS',
    })
  })

  it('has the same cases with runs of blanks in place of tabs', () => {
    const blanks = BASICO.map((line) => line.replaceAll('\t', '        '))
    expect(readSet(bytesOf(blanks))).toEqual(readSet(bytesOf(BASICO)))
    const expanded = COMPRAS.map((line) => {
      let out = ''
      for (const character of line) out += character === '\t' ? ' '.repeat(8 - (out.length % 8)) : character
      return out
    })
    expect(readSet(bytesOf(expanded))).toEqual(readSet(bytesOf(COMPRAS)))
  })

  it('tells an exempt amount from a taxed one by its column', () => {
    const rows = readSet(bytesOf(COMPRAS)).sections[0]?.purchases ?? []
    expect(rows.map(({ exempt, taxed, use }) => [exempt, taxed, use])).toEqual([
      [200, 1000, 'giro'],
      [0, 2000, 'common_use'],
      [0, 3000, 'free_delivery'],
      [0, 4000, 'full_withholding'],
      [0, 100, 'note'],
      [700, 0, 'giro'],
    ])
  })
})

describe('letters', () => {
  const lines = changed(BASICO, 'Silla AFECTO\t      4\t\t    500', 'Pañuelo señorial AFECTO\t      4\t\t    500')
  const nameIn = (bytes: Buffer) => readSet(bytes).sections[0]?.cases[0]?.items[1]?.name

  it('are the same in ISO-8859-1, in UTF-8, with a mark of it, and in UTF-8 encoded twice', () => {
    const twice = Buffer.from(text(lines).toString('latin1'), 'utf8')
    const marked = Buffer.concat([Buffer.from('\uFEFF'), text(lines)])
    for (const bytes of [text(lines, 'latin1'), text(lines), marked, twice])
      expect(nameIn(bytes)).toBe('Pañuelo señorial AFECTO')
  })

  it('that were lost come back in a word of the SII, and stop the section in any other', () => {
    const lost = (name: string) =>
      text(changed(BASICO, 'Silla AFECTO\t      4\t\t    500', `${name}\t      4\t\t    500`))
    expect(nameIn(lost('Pa\uFFFDuelo AFECTO'))).toBe('Pañuelo AFECTO')
    expect(readSet(lost('Se\uFFFDal AFECTO')).sections[0]?.not_understood).toMatchObject([
      { line: 9, text: 'Se\uFFFDal AFECTO 4 500', why: expect.stringContaining('A letter was lost') },
    ])
  })

  it('that were lost in a title do not hide it', () => {
    const title = 'SET GU\uFFFDA DE DESPACHO - NUMERO DE ATENCI\uFFFDN: 900002'
    expect(readSet(text([title, ...GUIAS.slice(1)])).sections[0]).toMatchObject({ kind: 'guias', attention: '900002' })
  })
})

describe('what is not understood', () => {
  const SILLA = 'Silla AFECTO\t      4\t\t    500'
  // biome-ignore format: one complaint per line
  const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['a sentence in a case', changed(BASICO, SILLA, `${SILLA}\n\nRECUERDE EL PLAZO`), 11, /No rule reads/],
    ['a sentence before the cases', changed(BASICO, BASICO[0] ?? '', `${BASICO[0]}\nUSE FOLIOS PARES`), 2, /before the first case/],
    ['a column', changed(GUIAS, 'ITEM\t\tCANTIDAD\t', 'ITEM\t\tCANTIDAD\tCOLOR'), 8, /column COLOR/],
    ['a row with a cell too many', changed(BASICO, SILLA, `${SILLA}\t5%\t7`), 9, /columns/],
    ['a row without its price', changed(GUIAS, 'ITEM 1\t\t      7\t\t    100', 'ITEM 1\t\t      7'), 27, /columns/],
    ['thousands that may be decimals', changed(BASICO, SILLA, 'Silla AFECTO\t      4\t\t  1.500'), 9, /not a number/],
    ['a negative quantity', changed(BASICO, SILLA, 'Silla AFECTO\t     -4\t\t    500'), 9, /not a number/],
    ['a discount above 100 %', changed(BASICO, SILLA, `${SILLA}\t\t    150%`), 9, /not a percentage/],
    ['a discount on exempt items', changed(BASICO, 'DESCUENTO GLOBAL ITEMES AFECTOS\t\t     25%', 'DESCUENTO GLOBAL ITEMES EXENTOS\t\t     25%'), 19, /taxed items/],
    ['a document', GUIAS.map((line, index) => (index === 4 ? 'DOCUMENTO\tVALE' : line)), 5, /not known/],
    ['a reason', changed(BASICO, 'RAZON REFERENCIA\tANULA FACTURA', 'RAZON REFERENCIA\tPORQUE SI'), 36, /annuls, corrects text/],
    ['a reference to no case', BASICO.map((line) => line.replace('A CASO 900001-2', 'A CASO 900001-9')), 39, /no such case/],
    ['a reference to another document', BASICO.map((line) => line.replace('FACTURA ELECTRONICA CORRESPONDIENTE A CASO 900001-2', 'GUIA DE DESPACHO CORRESPONDIENTE A CASO 900001-2')), 39, /another document/],
    ['a motive', changed(GUIAS, 'MOTIVO:\t\tTRASLADO DE MATERIALES ENTRE BODEGAS DE LA EMPRESA', 'MOTIVO:\t\tMUDANZA'), 3, /kind of transfer/],
    ['a case that stands twice', BASICO.map((line) => line.replace('CASO 900001-6', 'CASO 900001-2')), 42, /twice/],
    ['an observation of a purchase', changed(COMPRAS, 'ENTREGA GRATUITA DEL PROVEEDOR', 'CANJE'), 16, /how the IVA/],
    ['a purchase without amounts', changed(COMPRAS, '\t\t   3000', ''), 15, /ends before/],
    ['a general observation', changed(COMPRAS, 'DEL IVA ES DE 0.25', 'DEL IVA ES ALTO'), 33, /general observation/],
    ['an instruction of the sales book', [...VENTAS, 'OMITA LAS NOTAS.'], 3, /not known/],
    ['a consideration of the guías', [...LIBRO_GUIAS, '- EL CASO 1 CORRESPONDE A UNA GUIA PERDIDA'], 6, /consideration/],
    ['a boleta with a cell too few', [...BOLETAS, '4;;goma;1;;100;'], 5, /8 columns/],
    ['a kind of set', ['SET LIBRO DE COMPRAS PARA EXENTOS - NUMERO DE ATENCION: 900008', 'HAGA LO USUAL'], 1, /kind of set/],
    ['a title without its number', ['SET BASICO'], 1, /kind of set/],
    ['any other text', ['hola'], 1, /no set that is known/],
  ]
  it.each(REFUSED)('is kept with its line: %s', (_what, lines, line, why) => {
    const [first] = complaintsOf(lines.flatMap((one) => one.split('\n')))
    expect([first?.line, first?.why]).toEqual([line, expect.stringMatching(why)])
  })

  it('stays in its own section', () => {
    const set = readSet(bytesOf(changed(BASICO, SILLA, `${SILLA}\t5%\t7`), GUIAS))
    expect(set.sections.map(({ kind, not_understood }) => [kind, not_understood.length])).toEqual([
      ['basico', 1],
      ['guias', 0],
    ])
  })

  it('is bounded, and the rest is counted', () => {
    const complaints = complaintsOf(Array.from({ length: 1000 }, (_, index) => `línea ${index}`))
    expect(complaints).toHaveLength(201)
    expect(complaints.at(-1)?.why).toBe('800 more lines of this section are not understood.')
  })

  it('is a circle of references', () => {
    const circle = BASICO.map((line) =>
      line
        .replace(
          'FACTURA ELECTRONICA CORRESPONDIENTE A CASO 900001-2',
          'NOTA DE DEBITO ELECTRONICA CORRESPONDIENTE A CASO 900001-6',
        )
        .replace('A CASO 900001-3', 'A CASO 900001-5'),
    )
    expect(complaintsOf(circle).map(({ why }) => why)).toEqual(
      Array(2).fill('The cases refer to each other in a circle.'),
    )
  })
})

describe('hostile bytes', () => {
  it('that are no text, too many or none are refused with a SetError', () => {
    const rules = [
      Buffer.alloc(0),
      Buffer.from(' \n\n'),
      Buffer.from('a\0b'),
      Buffer.alloc(300_000, 65),
      Buffer.alloc(6000, 10),
    ]
    const refusals = rules.map((bytes) => {
      try {
        readSet(bytes)
        return 'read'
      } catch (failure) {
        return failure instanceof SetError ? failure.rule : failure
      }
    })
    expect(refusals).toEqual(['empty', 'empty', 'not_text', 'too_large', 'too_many_lines'])
  })

  it('never throw anything else: any cut and any byte changed is read or refused', () => {
    let state = 12_345
    const next = (bound: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % bound
    }
    for (let round = 0; round < 120; round++) {
      const bytes = Buffer.from(OWN_SET)
      for (let times = next(8); times >= 0; times--) bytes[next(bytes.length)] = 1 + next(255)
      expect(() => readSet(bytes.subarray(0, 1 + next(bytes.length)))).not.toThrow()
    }
  })

  it('full of what a pattern might stumble over are read once', () => {
    const evil = [
      `SET ${' - NUMERO DE ATENCI'.repeat(5000)}`,
      `DOCUMENTO${' '.repeat(100_000)}X`,
      `${'\t'.repeat(100_000)}1`,
      `${'"'.repeat(50_000)};`.repeat(2),
      'CASO 1-1'.repeat(10_000),
      '\uFFFD'.repeat(60_000),
      `${'1'.repeat(100_000)}%`,
    ]
    for (const line of evil) {
      for (const start of [BASICO, COMPRAS, LIBRO_GUIAS, BOLETAS])
        expect(readSet(text([...start, line])).sections.length).toBeGreaterThan(0)
    }
  })
})
