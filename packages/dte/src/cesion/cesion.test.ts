import { describe, expect, it } from 'vitest'
import { emit } from '../../test/support/emitted.ts'
import { schemaFault } from '../../test/support/envelope-xsd.ts'
import {
  again,
  BANK_RUT,
  cesion,
  FACTORING_RUT,
  factura,
  first_aec,
  KINDS,
  party,
  RECEPTOR_RUT,
  refusalOf,
  ruleOf,
  second_aec,
  signer,
  taken,
} from '../../test/support/kinds.ts'
import { describeWithReference, readReference } from '../../test/support/shared.ts'
import { rawElements } from '../xml/raw.ts'
import { cedeAgain, cedeDte, type FirstCesion } from './cesion.ts'

const first = async (changes: Partial<FirstCesion>) =>
  ruleOf(await cedeDte({ ...cesion, dte: factura, ...changes }, signer))

describe('a cesión', () => {
  it('is by the holder only, for no more than the document, signed by the person authorised', async () => {
    expect(await first({ cedente: party(FACTORING_RUT) })).toBe('not_the_holder')
    expect(ruleOf(await cedeAgain(Buffer.from(first_aec, 'latin1'), cesion, signer))).toBe('not_the_holder')
    expect(await first({ amount: 1191 })).toBe('too_much')
    expect(await first({ last_due_date: '2026-10-04' })).toBe('due_before_issue')
    expect(await first({ authorised: { rut: RECEPTOR_RUT, name: 'X' } })).toBe('signer_not_authorised')
    expect(await first({ dte: emit(61, 1, signer).xml })).toBe('not_cedible')
    expect(await first({ conditions: 'x'.repeat(513) })).toBe('too_long')
  })

  it('is refused over a document or an AEC that was changed', async () => {
    expect(await first({ dte: factura.replace('<Folio>9<', '<Folio>8<') })).toBe('not_a_dte')
    expect(await first({ dte: factura.slice(0, -5) })).toBe('not_a_dte')
    const changed = Buffer.from(first_aec.replace('<MontoCesion>1190<', '<MontoCesion>1191<'), 'latin1')
    expect(ruleOf(await cedeAgain(changed, again, signer))).toBe('not_an_aec')
    expect(ruleOf(await cedeAgain(Buffer.from('<AEC/>'), again, signer))).toBe('not_an_aec')
  })

  it('carries everything signed before it, character by character, and a sworn statement without a receipt', () => {
    const before = [...rawElements(first_aec, 'DTECedido'), ...rawElements(first_aec, 'Cesion')]
    expect(before).toHaveLength(2)
    for (const part of before) expect(second_aec).toContain(part)
    expect(rawElements(second_aec, 'SeqCesion')).toEqual(['<SeqCesion>1</SeqCesion>', '<SeqCesion>2</SeqCesion>'])
    expect(rawElements(second_aec, 'DeclaracionJurada')).toHaveLength(2)
  })

  it('needs no sworn statement with an electronic receipt', async () => {
    const recibos = rawElements(KINDS.EnvioRecibos?.xml ?? '', 'Recibo').slice(0, 1)
    const made = taken(await cedeDte({ ...cesion, dte: factura, recibos }, signer))
    expect(refusalOf(made)).toBeNull()
    expect(made).not.toContain('DeclaracionJurada')
  })
})

describeWithReference('a cesión over the files of others', () => {
  it('builds on a real AEC', async () => {
    const holder = { ...cesion, cedente: party('76389992-6'), cesionario: party(BANK_RUT), amount: 1 }
    const real = readReference('samples', 'aec', 'AEC--76399752-9--33--25568--SEQ-1.xml')
    const made = taken(await cedeAgain(real, holder, signer))
    expect(refusalOf(made)).toBeNull()
    expect(schemaFault(made, 'AEC_v10.xsd')).toBeNull()
  })
})
