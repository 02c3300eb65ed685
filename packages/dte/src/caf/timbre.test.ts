import { sign as rsaSign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeCaf, TEST_SII_KEYS } from '../../test/support/keys.ts'
import { draft } from '../../test/support/samples.ts'
import { describeWithReference, readReference } from '../../test/support/shared.ts'
import { completeDraft } from '../document/totals.ts'
import { parseXml, parseXmlText } from '../xml/parse.ts'
import { readCaf } from './caf.ts'
import { checkTimbre } from './check-timbre.ts'
import { stampSync, timbreOf, writeDd } from './timbre.ts'

const timbre = {
  emisor_rut: '76543210-3',
  tipo_dte: 33,
  folio: 7,
  issue_date: '2026-10-05',
  receptor_rut: '77123456-9',
  receptor_name: 'Pérez & Hijos',
  total: 119,
  first_item: 'Papel',
  tmst_ted: '2026-10-05T12:00:00',
}

describe('the stamp', () => {
  const caf = makeCaf({ tipo_dte: 33 })

  it('cuts names to forty characters before escaping them, in ASCII', () => {
    const dd = writeDd({ ...timbre, receptor_name: `${'ñ'.repeat(39)}&&&`, first_item: 'Ø 5°\n<"½>' }, caf)
    expect(dd).toContain(`<RSR>${'n'.repeat(39)}&amp;</RSR>`)
    expect(dd).toContain('<IT1>O 5o &lt;"1/2&gt;</IT1>')
  })

  it('folds a character of ISO-8859-1 alike, whatever else the text holds', () => {
    const nameOf = (receptor_name: string) => /<RSR>(.*?)<\/RSR>/s.exec(writeDd({ ...timbre, receptor_name }, caf))?.[1]
    for (let code = 0x80; code <= 0xff; code++) {
      const text = `a${String.fromCharCode(code)}b`
      // A character outside it, which becomes a space, has the text decomposed as a whole.
      expect(nameOf(`${text}\u2603`), code.toString(16)).toBe(`${nameOf(text)} `)
    }
    expect(nameOf('Ñuñoa  \t y   Cía')).toBe('Nunoa y Cia')
  })

  it('names somebody and something when a boleta names neither', () => {
    const dte = completeDraft(draft(39), 1)
    expect(timbreOf(dte, timbre.tmst_ted)).toMatchObject({ receptor_rut: '66666666-6', receptor_name: 'CLIENTE' })
    expect(writeDd({ ...timbre, first_item: ' ' }, caf)).toContain('<IT1>SIN DETALLE</IT1>')
  })

  const documento = (ted: string, changes: Record<string, string> = {}) => {
    const value = { folio: '7', total: '119', ...changes }
    const xml =
      `<Documento><Encabezado><IdDoc><TipoDTE>33</TipoDTE><Folio>${value.folio}</Folio><FchEmis>2026-10-05</FchEmis></IdDoc>` +
      '<Emisor><RUTEmisor>76543210-3</RUTEmisor></Emisor><Receptor><RUTRecep>77123456-9</RUTRecep></Receptor>' +
      `<Totales><MntTotal>${value.total}</MntTotal></Totales></Encabezado>${ted}</Documento>`
    const parsed = parseXmlText(xml)
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    return checkTimbre(parsed.value, parsed.value.root, TEST_SII_KEYS)?.rule ?? null
  }

  it('is true for the document it was made for, and for no other', () => {
    const ted = stampSync(timbre, caf)
    expect(documento(ted)).toBeNull()
    expect(documento(ted, { total: '120' })).toBe('stamp_mismatch')
    expect(documento(ted, { folio: '8' })).toBe('stamp_mismatch')
    // The same value in other figures, as many emitters write it.
    expect(documento(ted, { total: '119.00', folio: '07' })).toBeNull()
    expect(documento(ted, { total: '119.01' })).toBe('stamp_mismatch')
    expect(documento(ted.replace('<MNT>119<', '<MNT>120<'), { total: '120' })).toBe('bad_stamp')
    expect(documento(ted.replace('<H>1000<', '<H>2000<'))).toBe('bad_sii_signature')
    expect(documento('')).toBe('missing_timbre')
    expect(documento(stampSync({ ...timbre, folio: 1001 }, caf), { folio: '1001' })).toBe('folio_out_of_range')
  })
})

describe('a stamp of another emitter', () => {
  const caf = makeCaf({ tipo_dte: 33 })
  const dd = (name: string, item: string, folio = 7) =>
    writeDd({ ...timbre, folio, receptor_name: 'RSR', first_item: 'IT1' }, caf)
      .replace('<RSR>RSR<', `<RSR>${name}<`)
      .replace('<IT1>IT1<', `<IT1>${item}<`)
  const ted = (shown: string, signed: Buffer | string = shown) => {
    const bytes = typeof signed === 'string' ? Buffer.from(signed, 'latin1') : signed
    return `<TED version="1.0">${shown}<FRMT algoritmo="SHA1withRSA">${rsaSign('RSA-SHA1', bytes, caf.key).toString('base64')}</FRMT></TED>`
  }
  const documento = (stamp: string, folio = 7) =>
    `<Documento><Encabezado><IdDoc><TipoDTE>33</TipoDTE><Folio>${folio}</Folio><FchEmis>2026-10-05</FchEmis></IdDoc>` +
    '<Emisor><RUTEmisor>76543210-3</RUTEmisor></Emisor><Receptor><RUTRecep>77123456-9</RUTRecep></Receptor>' +
    `<Totales><MntTotal>119</MntTotal></Totales></Encabezado>${stamp}</Documento>`
  const rules = (...documents: readonly string[]) => {
    const file = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?><SetDTE>${documents.join('\n')}</SetDTE>`,
      'latin1',
    )
    return rulesIn(file)
  }
  const rulesIn = (file: Buffer) => {
    const parsed = parseXml(file)
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    const { root } = parsed.value
    return root.children.map((one) => checkTimbre(parsed.value, one, TEST_SII_KEYS)?.rule ?? null)
  }

  // DTE.md, TED: the signature covers the bytes of DD as written, and XML has several ways to write one character.
  it.each([
    'O&#39;Higgins',
    'O&#x27;Higgins',
    'O&apos;Higgins',
    'Ca&#241;ete',
    'Ca&#xF1;ete',
    'Cañete',
    'A &#38; B &#60; C',
    'A > B',
    '&quot;5&quot; y &#34;6&#34; y "7"',
    '<![CDATA[A & B]]>',
  ])('is true in the bytes its emitter wrote: %s', (name) => {
    expect(rules(documento(ted(dd(name, 'x'))), documento(ted(dd('Ana', name, 8)), 8))).toEqual([null, null])
  })

  it('is true however the file is laid out, and where its emitter signed that layout', () => {
    const written = dd('O&#39;Higgins', 'Ca&#241;a')
    const laid_out = written.replaceAll('><', '>\r\n  <')
    expect(rules(documento(ted(laid_out, written)), documento(ted(laid_out)))).toEqual([null, null])
  })

  it('is true where a program on the way wrote the file anew, in every spelling that emitters use', () => {
    const shown = dd(`O'Higgins "5" Ñuble`, 'A &gt; B')
    for (const apostrophe of ["'", '&apos;', '&#39;', '&#x27;', '&#039;']) {
      for (const quote of ['"', '&quot;', '&#34;']) {
        for (const letter of ['Ñ', '&#209;', '&#xd1;', '&#xD1;']) {
          const name = `O${apostrophe}Higgins ${quote}5${quote} ${letter}uble`
          expect(rules(documento(ted(shown, dd(name, 'A > B'))))).toEqual([null])
        }
      }
    }
  })

  it('is true over UTF-8 in a file in UTF-8, or saved so and not saying it', () => {
    const written = dd('Cañete', 'x')
    const utf8 = (declared: string, signed: Buffer | string) =>
      Buffer.from(
        `<?xml version="1.0" encoding="${declared}"?><SetDTE>${documento(ted(written, signed))}</SetDTE>`,
        'utf8',
      )
    expect(rulesIn(utf8('UTF-8', written))).toEqual([null])
    expect(rulesIn(utf8('UTF-8', Buffer.from(written, 'utf8')))).toEqual([null])
    expect(rulesIn(utf8('ISO-8859-1', written))).toEqual([null])
    expect(rulesIn(utf8('ISO-8859-1', Buffer.from(written, 'utf8')))).toEqual([null])
  })

  it('is false when what it says is not what was signed, however it is spelt', () => {
    const signed = dd('O&#39;Higgins', 'Vino')
    expect(rules(documento(ted(signed.replace('&#39;', '&#38;'), signed)))).toEqual(['bad_stamp'])
    // U+0156 ends in the byte of a V: cut to one byte, another text would carry a true signature.
    const foreign = `<SetDTE>${documento(ted(signed.replace('Vino', '\u0156ino'), signed))}</SetDTE>`
    expect(rulesIn(Buffer.from(foreign, 'utf8'))).toEqual(['bad_stamp'])
    // The signed text stands in a comment, beside another that is read.
    const hidden = ted(signed.replace('Vino', 'Oro'), signed).replace('<DD>', `<!--${signed}--><DD>`)
    expect(rules(documento(hidden))).toEqual(['bad_stamp'])
    // The stamp of one document in the place of another's, both in one file.
    const other = ted(dd('Ana', 'Pan', 8))
    expect(rules(documento(other), documento(ted(signed), 8))).toEqual(['stamp_mismatch', 'stamp_mismatch'])
  })
})

describeWithReference("the SII's own example of a stamp", () => {
  it('is reproduced byte for byte, the CAF proven with key 100', () => {
    const vector = JSON.parse(readReference('samples', 'vectors', 'ted-frmt-sii-manual.json').toString())
    const caf_xml = /<CAF.*<\/CAF>/.exec(vector.message)?.[0]
    const file = `<AUTORIZACION>${caf_xml}<RSASK>${vector.private_key_pem}</RSASK></AUTORIZACION>`
    const caf = readCaf(Buffer.from(file, 'latin1'))
    if (!caf.ok) throw new Error(caf.refusal.message)
    const example = {
      emisor_rut: '97975000-5',
      tipo_dte: 33,
      folio: 27,
      issue_date: '2003-09-08',
      receptor_rut: '8414240-9',
      receptor_name: 'JORGE GONZALEZ LTDA',
      total: 502946,
      first_item: 'Cajon AFECTO',
      tmst_ted: '2003-09-08T12:28:31',
    }
    expect(writeDd(example, caf.value)).toBe(vector.message)
    expect(stampSync(example, caf.value)).toBe(
      `<TED version="1.0">${vector.message}<FRMT algoritmo="SHA1withRSA">${vector.expected_signature_base64}</FRMT></TED>`,
    )
  })
})
