import { parseXmlText, textAt, type XmlElement } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import { headingOf } from './read-heading.ts'

function read(text: string): XmlElement {
  const parsed = parseXmlText(text)
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  return parsed.value.root
}

const LIQUIDACION = `<Liquidacion ID="L1"><Encabezado>
  <IdDoc><TipoDTE>43</TipoDTE><Folio>15</Folio><FchEmis>2026-11-02</FchEmis><FmaPago>2</FmaPago></IdDoc>
  <Emisor><RUTEmisor>76.543.210-3</RUTEmisor><RznSoc>Feria SpA</RznSoc></Emisor>
  <Receptor><RUTRecep>77123456-9</RUTRecep></Receptor>
  <Totales><MntNeto>1000</MntNeto><IVA>190</IVA><MntTotal>1190</MntTotal></Totales>
</Encabezado></Liquidacion>`

describe('the heading of a document', () => {
  it('is read of a liquidación too, of which the engine reads no more', () => {
    expect(headingOf(read(LIQUIDACION), textAt)).toMatchObject({
      tipo_dte: 43,
      folio: 15,
      issue_date: '2026-11-02',
      emisor_rut: '76543210-3',
      emisor_name: 'Feria SpA',
      receptor_rut: '77123456-9',
      net: 1000,
      exempt: 0,
      iva: 190,
      total: 1190,
      payment_form: 'credit',
      due_date: null,
    })
  })

  it('is in pesos for an export too: those that it tells, never its dollars', () => {
    const exported = (totals: string) =>
      LIQUIDACION.replaceAll('Liquidacion', 'Exportaciones')
        .replace('>43<', '>110<')
        .replace(/<Totales>.*<\/Totales>/, totals)
    const dollars =
      '<Totales><TpoMoneda>DOLAR USA</TpoMoneda><MntExe>14814</MntExe><MntTotal>14814</MntTotal></Totales>'
    // 14,814 dollars at 935.25 pesos are 13,854,793.5.
    const pesos =
      '<OtraMoneda><TpoMoneda>PESO CL</TpoMoneda><TpoCambio>935.25</TpoCambio><MntExeOtrMnda>13854793.5</MntExeOtrMnda><MntTotOtrMnda>13854793.5</MntTotOtrMnda></OtraMoneda>'
    expect(headingOf(read(exported(dollars + pesos)), textAt)).toMatchObject({
      net: 0,
      iva: 0,
      exempt: 13_854_794,
      total: 13_854_794,
    })
    expect(headingOf(read(exported(dollars)), textAt)).toBeNull()
    const own = dollars.replace('DOLAR USA', 'PESO CL')
    expect(headingOf(read(exported(own)), textAt)).toMatchObject({ total: 14_814 })
  })

  it('reads amounts with a decimal part of zeros, and cuts names short', () => {
    const text = LIQUIDACION.replace('<IVA>190', '<IVA>190.00').replace('Feria SpA', 'F'.repeat(9_000))
    const heading = headingOf(read(text), textAt)
    expect([heading?.iva, heading?.emisor_name.length]).toEqual([190, 200])
  })

  it('is none without what identifies a document, or with amounts that are not whole pesos', () => {
    const broken = [
      LIQUIDACION.replace('<Folio>15</Folio>', ''),
      LIQUIDACION.replace('<Folio>15', '<Folio>0'),
      LIQUIDACION.replace('76.543.210-3', '76.543.210-4'),
      LIQUIDACION.replace('2026-11-02', '2026-02-31'),
      LIQUIDACION.replace('<MntTotal>1190', '<MntTotal>1190.5'),
      LIQUIDACION.replace('<MntTotal>1190', '<MntTotal>99999999999999999999'),
      LIQUIDACION.replace('<MntTotal>1190', '<MntTotal>'),
      LIQUIDACION.replace('<IVA>190', '<IVA>1000000000000000000'),
      LIQUIDACION.replace('<MntNeto>1000', '<MntNeto>mil'),
    ]
    for (const text of broken) expect(headingOf(read(text), textAt)).toBeNull()
  })
})
