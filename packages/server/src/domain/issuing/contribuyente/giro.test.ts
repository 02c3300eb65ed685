import { ACTECOS, checkText } from '@timbre/dte/values'
import { describe, expect, it } from 'vitest'
import { CURATED_GIROS } from './curated-giros.ts'
import { fitGiro, suggestGiro } from './giro.ts'

describe('the curated giros', () => {
  it.each(Object.entries(CURATED_GIROS))('%s is a code of the present list and %s fits a document', (code, giro) => {
    expect(ACTECOS[Number(code)]).toBeDefined()
    expect(code).toMatch(/^\d{6}$/)
    expect(checkText(giro, 40)).toBeNull()
  })
})

describe('suggesting a giro', () => {
  it('uses our wording where there is one', () => {
    const description = 'VENTA AL POR MENOR DE ALIMENTOS EN COMERCIOS ESPECIALIZADOS (ALMACENES PEQUENOS Y MINIMARKET)'
    expect(suggestGiro([{ code: '472101', description }])).toEqual({
      text: 'Venta al por menor de abarrotes',
      basis: 'curated',
    })
  })

  it('does not put our wording on a code of the older list that meant something else', () => {
    expect(suggestGiro([{ code: '472101', description: 'REPARACION DE RELOJES' }])).toEqual({
      text: 'REPARACION DE RELOJES',
      basis: 'sii_description',
    })
  })

  it('writes a description as the SII does today, cut at a word', () => {
    expect(suggestGiro([{ code: '011101', description: 'CULTIVO DE TRIGO' }])?.text).toBe('Cultivo de trigo')
    const long = suggestGiro([{ code: '331202', description: null }])
    expect(long).toEqual({ text: 'Reparación de maquinaria metalúrgica', basis: 'sii_description' })
  })

  it('passes over an activity that says nothing, and knows when none says anything', () => {
    expect(
      suggestGiro([
        { code: '999999', description: null },
        { code: '620100', description: null },
      ])?.text,
    ).toBe('Desarrollo de software')
    expect(suggestGiro([{ code: '999999', description: null }])).toBeNull()
    expect(suggestGiro([])).toBeNull()
  })

  it('fits every activity of the SII into a document', () => {
    for (const name of Object.values(ACTECOS)) {
      expect(checkText(fitGiro(name), 40)).toBeNull()
      expect(fitGiro(name)).not.toMatch(/[\s,;:(-]$|\s(de|y|la|en|para|con)$/i)
    }
  })

  it('fits one endless word, and drops what ISO-8859-1 lacks', () => {
    expect(fitGiro('X'.repeat(100))).toBe('X'.repeat(40))
    expect(fitGiro('Ventas – al detalle €')).toBe('Ventas al detalle')
  })
})
