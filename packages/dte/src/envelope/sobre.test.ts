import { describe, expect, it } from 'vitest'
import { parsed } from '../../test/support/emitted.ts'
import { enclosed, factura, KINDS, refusalOf, ruleOf, signer, sobre, taken } from '../../test/support/kinds.ts'
import { TIPO_NUMBERS, tipo } from '../document/tipos.ts'
import { at, childrenOf, textAt } from '../xml/tree.ts'
import { buildSobre } from './sobre.ts'

describe('an envelope', () => {
  it('counts its documents by tipo and names the SII unless told otherwise', () => {
    const caratula = at(parsed(KINDS.EnvioDTE?.xml ?? '').root, 'SetDTE', 'Caratula')
    const counts = childrenOf(caratula, 'SubTotDTE').map((count) => [textAt(count, 'TpoDTE'), textAt(count, 'NroDTE')])
    expect(counts).toEqual(['33', '34', '46', '52', '56', '61'].map((number) => [number, '1']))
    expect(textAt(caratula, 'RutReceptor')).toBe('60803000-K')
  })

  it('is refused empty, mixed, too full or with a bad field, by its rule', async () => {
    const rule = async (changes: Parameters<typeof sobre>[1], tipos: Parameters<typeof sobre>[0] = []) =>
      ruleOf(await buildSobre(sobre(tipos, changes), signer))
    const boleta = enclosed([39])
    expect(await rule({})).toBe('too_few')
    expect(await rule({}, [33, 39])).toBe('mixed_kinds')
    expect(await rule({ documents: Array.from({ length: 501 }, () => boleta).flat() })).toBe('too_many')
    expect(await rule({ emisor_rut: '76543210-4' }, [33])).toBe('not_a_rut')
    expect(await rule({ tmst_firma: '2026-10-05 12:00' }, [33])).toBe('not_a_timestamp')
    expect(await rule({ documents: [{ tipo_dte: 33, xml: '<a/>' }] })).toBe('not_a_dte')
    expect(await rule({ documents: [{ tipo_dte: 33, xml: '<DTE>' }] })).toBe('not_a_dte')
  })

  it('takes a document that another program wrote, untouched', async () => {
    const dressed = factura.replace('<DTE ', '<DTE\n ').replace('<Encabezado>', "<Encabezado><!-- '>' -->")
    const documents = [{ tipo_dte: 33 as const, xml: dressed, foreign: true }]
    const made = taken(await buildSobre(sobre([], { documents }), signer))
    expect(made).toContain(dressed)
    expect(refusalOf(made)).toBeNull()
  })

  for (const number of TIPO_NUMBERS) {
    it(`of tipo ${number} is an ${tipo(number).envelope}`, async () => {
      expect(taken(await buildSobre(sobre([number]), signer))).toContain(`</${tipo(number).envelope}>`)
    })
  }
})
