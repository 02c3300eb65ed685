import { describe, expect, it } from 'vitest'
import { parseXmlText } from '../xml/parse.ts'
import { timbreTextsApart } from './timbre-texts.ts'

function apart(written: { name: string; item: string }, stamped: { RSR?: string; IT1?: string }) {
  const escaped = (text: string) => text.replaceAll('&', '&amp;')
  const tag = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`
  const parsed = parseXmlText(
    `<Documento><Encabezado><Receptor>${tag('RznSocRecep', written.name || undefined)}</Receptor></Encabezado>` +
      `<Detalle>${tag('NmbItem', written.item)}</Detalle><Detalle>${tag('NmbItem', 'Otra línea')}</Detalle>` +
      `<TED><DD>${tag('RSR', stamped.RSR)}${tag('IT1', stamped.IT1)}</DD></TED></Documento>`,
  )
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  return timbreTextsApart(parsed.value.root)
}

const NAME = 'Distribuidora Ñuble & Compañía Limitada de Chillán'
const ITEM = 'Cajón de Carménère'

describe('the texts of a stamp', () => {
  it('are those of the document, cut at 40 characters', () => {
    expect(apart({ name: NAME, item: ITEM }, { RSR: NAME.slice(0, 40), IT1: ITEM })).toEqual([])
  })

  it('may be spelt as emitters spell them: folded, with letters lost, cut early, escaped twice or in other blanks', () => {
    for (const IT1 of ['CAJON DE CARMENERE', 'Caj?n de Carm?n?re', 'Cajn de Carmnre', ' Cajón  de Carménère.']) {
      expect(apart({ name: 'Ana', item: ITEM }, { RSR: 'Ana', IT1 })).toEqual([])
    }
    expect(apart({ name: NAME, item: 'x' }, { RSR: NAME.slice(0, 36), IT1: 'x' })).toEqual([])
    expect(apart({ name: 'A & B', item: 'x' }, { RSR: 'A &amp; B', IT1: 'x' })).toEqual([])
  })

  it('are apart when the document sells something else, or to somebody else, or says more than was stamped', () => {
    expect(apart({ name: 'Ana', item: 'Vinagre' }, { RSR: 'Ana', IT1: 'Vino' })).toEqual(['IT1'])
    expect(apart({ name: 'Ana', item: 'Vino de la casa' }, { RSR: 'Ana', IT1: 'Vino' })).toEqual(['IT1'])
    expect(apart({ name: 'Bruno', item: 'Vino' }, { RSR: 'Ana', IT1: 'Vino' })).toEqual(['RSR'])
    expect(apart({ name: 'Ana', item: 'Vino' }, {})).toEqual(['RSR', 'IT1'])
  })

  it('have nothing to differ from in a boleta without a name', () => {
    expect(apart({ name: '', item: 'Vino' }, { RSR: 'CLIENTE', IT1: 'Vino' })).toEqual([])
  })
})
