import { describe, expect, it } from 'vitest'
import { readCaf, readUnissuedCaf } from '../src/caf/caf.ts'
import { checkTimbre } from '../src/caf/check-timbre.ts'
import { renderPdf } from '../src/pdf/render.ts'
import { firstRefusal, verifySignatures } from '../src/signature/verify.ts'
import { pesosOfExport } from '../src/unissued/document.ts'
import { readUnissued } from '../src/unissued/read.ts'
import { UNISSUED_TIPOS } from '../src/unissued/tipos.ts'
import { readPages } from './pdf/extract.ts'
import { emitUnissued } from './support/emit-unissued.ts'
import { asFile, parsed } from './support/emitted.ts'
import { cafFile, makeIdentity, TEST_SII_KEYS } from './support/keys.ts'
import { describeWithReference } from './support/shared.ts'
import { EXPORT, LIQUIDACION, UNISSUED } from './support/unissued.ts'
import { loadSchemas } from './support/xsd.ts'

const { signer } = makeIdentity()
const emitted = UNISSUED.map((dte) => ({ dte, ...emitUnissued(dte, signer) }))
const bodyIn = (xml: string) => /<(Liquidacion|Exportaciones) [\s\S]*<\/\1>/.exec(xml)?.[0] ?? ''

describe('tipos that the service does not issue', () => {
  it('are each here', () => {
    expect(UNISSUED.map(({ tipo_dte }) => String(tipo_dte))).toEqual(Object.keys(UNISSUED_TIPOS))
  })

  it.each(emitted)('$dte.tipo_dte is signed and stamped as every DTE is', ({ xml }) => {
    const document = parsed(asFile(xml))
    const outcome = verifySignatures(document)
    expect(firstRefusal(outcome)).toBeNull()
    const [checked] = outcome.ok ? outcome.value : []
    expect(checked && checkTimbre(document, checked.signed, TEST_SII_KEYS)).toBeNull()
    const changed = xml.replace(/<MntTotal>(\d)/, '<MntTotal>9$1')
    expect(firstRefusal(verifySignatures(parsed(asFile(changed))))?.rule).toBe('digest_mismatch')
  })

  it.each(emitted)('$dte.tipo_dte is read as it was written, without a warning', ({ dte, xml }) => {
    const read = readUnissued(parsed(asFile(xml)).root)
    if (!read.ok) throw new Error(read.refusal.message)
    expect([read.value.warnings, read.value.id]).toEqual([[], `F7T${dte.tipo_dte}`])
    expect(read.value.dte).toEqual(dte)
  })

  it('are refused when they are of another kind, or lack what names them', () => {
    const rule = (xml: string) => {
      const read = readUnissued(parsed(asFile(xml)).root)
      return read.ok ? null : read.refusal.rule
    }
    const [liquidacion = ''] = emitted.map(({ xml }) => xml)
    expect(rule(liquidacion.replace('<TipoDTE>43<', '<TipoDTE>110<'))).toBe('unsupported_tipo')
    expect(rule(liquidacion.replace('<Folio>7</Folio>', ''))).toBe('unreadable')
    expect(rule('<DTE><Documento/></DTE>')).toBe('not_a_dte')
  })

  it('have folios of their own, which the service does not take', () => {
    const file = cafFile({ tipo_dte: 110 })
    const [ours, theirs] = [readCaf(file, TEST_SII_KEYS), readUnissuedCaf(file, TEST_SII_KEYS)]
    expect(!ours.ok && ours.refusal.rule).toBe('unknown_tipo')
    // Only folios of documents that give credit lapse: those of a liquidación do, those of an export do not.
    expect(theirs.ok && theirs.value.expires_on).toBeNull()
    const settled = readUnissuedCaf(cafFile({ tipo_dte: 43 }), TEST_SII_KEYS)
    expect(settled.ok && settled.value.expires_on).toBe('2027-04-01')
  })

  it('an export tells what it is in pesos, or nobody knows', () => {
    expect(pesosOfExport(EXPORT)).toEqual({ exempt: 13_854_794, total: 13_854_794 })
    expect(pesosOfExport({ ...EXPORT, other_currency: undefined })).toBeNull()
    expect(pesosOfExport({ totals: { currency: 'PESO CL', total: 900 } })).toEqual({ exempt: 900, total: 900 })
  })
})

describe('the page of', () => {
  const page = async (index: number) => {
    const { dte, ted } = emitted[index] as (typeof emitted)[0]
    const pdf = await renderPdf(dte, { format: 'letter', ted, created_at: '2026-10-05T12:00:00Z' })
    return readPages(pdf)
      .flatMap(({ texts }) => texts.map(({ text }) => text))
      .join('\n')
  }

  it('a liquidación has what the mandatario keeps, and the documents it refers to', async () => {
    const text = await page(0)
    for (const said of [
      'LIQUIDACIÓN FACTURA ELECTRÓNICA',
      'Comisión 10 %: Comisión de venta',
      '-$ 100.000',
      '-$ 19.000',
      '$ 1.121.000',
      'Orden de compra',
      'OC-77',
      'Factura electrónica',
    ]) {
      expect(text).toContain(said)
    }
    expect(LIQUIDACION.totals.total).toBe(1_000_000 + 50_000 + 190_000 - 100_000 - 19_000)
  })

  it('an export has its currency with its decimals, how it is sold and sent, and its pesos', async () => {
    const text = await page(1)
    for (const said of [
      'FACTURA DE EXPORTACIÓN',
      'TOTAL DOLAR USA',
      '14.814',
      '1.234,5',
      'Total PESO CL',
      '13.854.794',
      'FOB',
      'Marítima',
      'código 906',
      '350,25',
      'Documento único de salida (DUS)',
    ]) {
      expect(text).toContain(said)
    }
    expect(text).not.toContain('IVA')
    for (const index of [2, 3]) expect(await page(index)).toContain('10,05')
  })
})

describeWithReference('the schema of the SII', () => {
  it('takes each of them', () => {
    const schema = loadSchemas()
    for (const { dte, xml } of emitted)
      expect([dte.tipo_dte, schema.validate(bodyIn(xml), 'EnvioDTE')]).toEqual([dte.tipo_dte, null])
    schema.dispose()
  })
})
