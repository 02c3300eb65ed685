import { describe, expect, it, vi } from 'vitest'
import { makeCaf, TEST_SII_KEYS } from '../../test/support/keys.ts'
import { draft } from '../../test/support/samples.ts'
import { describeWithReference, readReference } from '../../test/support/shared.ts'
import { completeDraft } from '../document/totals.ts'
import { parseXmlText } from '../xml/parse.ts'
import { readCaf } from './caf.ts'
import { checkTimbre } from './check-timbre.ts'
import { stampSync, timbreOf, writeDd } from './timbre.ts'

// Long enough for a busy machine: nothing here is a measure of speed.
vi.setConfig({ testTimeout: 60_000 })

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
    expect(documento(ted.replace('<MNT>119<', '<MNT>120<'), { total: '120' })).toBe('bad_stamp')
    expect(documento(ted.replace('<H>1000<', '<H>2000<'))).toBe('bad_sii_signature')
    expect(documento('')).toBe('missing_timbre')
    expect(documento(stampSync({ ...timbre, folio: 1001 }, caf), { folio: '1001' })).toBe('folio_out_of_range')
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
