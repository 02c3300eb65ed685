import { describe, expect, it } from 'vitest'
import { type Candidate, candidatesFor, type Payable, type Payment, sureOf, withoutRivals } from './score.ts'
import { namesFolio, namesParty, rutsIn } from './words.ts'

const RUT = '76192083-9'
const OTHER = '77123456-9'

const payment = (more: Partial<Payment> = {}): Payment => ({
  post_date: '2026-10-20',
  amount: 119_000,
  description: 'TRANSFERENCIA RECIBIDA',
  counterparty_rut: null,
  counterparty_name: null,
  ...more,
})
const payable = (more: Partial<Payable> = {}): Payable => ({
  id: 'doc_1',
  folio: 4521,
  date: '2026-10-10',
  total: 119_000,
  rut: RUT,
  name: 'Panadería Ñandú Limitada',
  ...more,
})
const codes = ({ reasons }: Candidate) => reasons.map(({ code }) => code)
const ids = ({ targets }: Candidate) => targets.map(({ id }) => id)

describe('what a text names', () => {
  it('is a RUT in every spelling of the banks, and a number whose check digit is wrong is none', () => {
    for (const text of ['76.192.083-9', '76192083-9', '0761920839', 'RUT 76192083 9', 'DE 076.192.083-9 SPA']) {
      expect(rutsIn(`TRANSF ${text}`)).toEqual([RUT])
    }
    expect(rutsIn('TRANSF 76.192.083-8 OP 1234567890123')).toEqual([])
  })

  it('is a folio as a number of its own, and one of two digits only behind a word for it', () => {
    expect(namesFolio('PAGO FACT 4521', 4521)).toBe(true)
    expect(namesFolio('PAGO 0004521', 4521)).toBe(true)
    for (const text of ['PAGO 14521', 'PAGO 45210', 'PAGO 4521.000', 'PAGO 4521-K', 'PAGO 1.4521']) {
      expect(namesFolio(text, 4521)).toBe(false)
    }
    expect(namesFolio('OFICINA 12', 12)).toBe(false)
    expect(namesFolio('PAGO FACTURA N° 12', 12)).toBe(true)
  })

  it('is a name by its telling words, cut short or without accents, and never by what all names share', () => {
    expect(namesParty('ABONO PANADERIA NANDU', 'Panadería Ñandú Limitada')).toBe('whole')
    expect(namesParty('ABONO PANADER NANDU', 'Panadería Ñandú Limitada')).toBe('whole')
    expect(namesParty('ABONO PANADERIA ROSA', 'Panadería Ñandú Limitada')).toBe('part')
    expect(namesParty('COMERCIAL SPA CHILE', 'Comercial Sur SpA')).toBeNull()
  })
})

describe('candidates', () => {
  it('are documents of the very amount, with what speaks for each', () => {
    const [best] = candidatesFor(payment({ counterparty_rut: RUT }), [payable()])
    expect(best).toMatchObject({ confidence: 85, targets: [{ id: 'doc_1' }] })
    expect(best && codes(best)).toEqual(['amount', 'rut', 'soon_after'])
    expect(candidatesFor(payment({ amount: 119_001 }), [payable()])).toEqual([])
  })

  it('are sure by their RUT, not by their amount and date, nor by a folio alone', () => {
    expect(sureOf(candidatesFor(payment({ counterparty_rut: RUT }), [payable()]))).not.toBeNull()
    expect(sureOf(candidatesFor(payment(), [payable()]))).toBeNull()
    expect(sureOf(candidatesFor(payment({ description: 'PAGO 4521' }), [payable()]))).toBeNull()
    const named = payment({ description: 'PAGO FACT 4521 PANADERIA NANDU' })
    expect(sureOf(candidatesFor(named, [payable()]))?.confidence).toBe(90)
  })

  it('are doubted when the bank names somebody else', () => {
    expect(candidatesFor(payment({ counterparty_rut: OTHER }), [payable()])).toEqual([])
    const paid_by_another = payment({ counterparty_rut: OTHER, description: 'PAGO FACTURA 4521 NANDU' })
    const [doubted] = candidatesFor(paid_by_another, [payable()])
    expect(doubted && codes(doubted)).toContain('other_rut')
    expect(sureOf(doubted ? [doubted] : [])).toBeNull()
  })

  it('lie from five days before their payment is due to half a year before it', () => {
    const of = (date: string) => candidatesFor(payment({ counterparty_rut: RUT }), [payable({ date })]).length
    expect([of('2026-10-25'), of('2026-10-26'), of('2026-04-23'), of('2026-04-22')]).toEqual([1, 0, 1, 0])
  })

  it('two alike are none to apply: the nearer one is, once it is clearly nearer', () => {
    const paid = payment({ counterparty_rut: RUT })
    const twin = payable({ id: 'doc_2', folio: 4522 })
    expect(candidatesFor(paid, [payable(), twin])).toHaveLength(2)
    expect(sureOf(candidatesFor(paid, [payable(), twin]))).toBeNull()
    const older = payable({ id: 'doc_2', date: '2026-09-10' })
    expect(sureOf(candidatesFor(paid, [older, payable()]))?.targets[0]?.id).toBe('doc_1')
  })
})

describe('one payment for several documents', () => {
  const three = [
    payable({ id: 'a', folio: 1, total: 50_000 }),
    payable({ id: 'b', folio: 2, total: 69_000 }),
    payable({ id: 'c', folio: 3, total: 10_000 }),
  ]

  it('is found when those of one party add up to it exactly', () => {
    const best = sureOf(candidatesFor(payment({ counterparty_rut: RUT }), three))
    expect(best && ids(best)).toEqual(['a', 'b'])
    expect(best && codes(best)).toEqual(['sum', 'rut', 'soon_after'])
    expect(candidatesFor(payment({ counterparty_rut: RUT, amount: 119_500 }), three)).toEqual([])
  })

  it('takes a nota de crédito away', () => {
    const note = payable({ id: 'n', folio: 9, total: -11_000 })
    const best = sureOf(candidatesFor(payment({ counterparty_rut: RUT, amount: 108_000 }), [...three, note]))
    expect(best && ids(best)).toEqual(['a', 'b', 'n'])
  })

  it('is not guessed when two sets add up to it, nor across two parties, nor without a RUT', () => {
    const paid = payment({ counterparty_rut: RUT })
    const fourth = payable({ id: 'd', folio: 4, total: 50_000 })
    expect(candidatesFor(paid, [...three, fourth])).toHaveLength(2)
    expect(sureOf(candidatesFor(paid, [...three, fourth]))).toBeNull()
    const mixed = three.map((one) => (one.id === 'b' ? { ...one, rut: OTHER } : one))
    expect(candidatesFor(paid, mixed)).toEqual([])
    expect(candidatesFor(payment({ description: 'PANADERIA NANDU' }), three)).toEqual([])
  })

  it('yields to a single document of the amount', () => {
    const best = sureOf(candidatesFor(payment({ counterparty_rut: RUT }), [...three, payable()]))
    expect(best && ids(best)).toEqual(['doc_1'])
  })
})

describe('several payments for one document', () => {
  const claim = (payment_id: string, confidence: number) => ({
    payment_id,
    candidate: { targets: [payable()], confidence, reasons: [] },
  })
  it('leave it to the clearly surest, and to none where two are alike', () => {
    expect(withoutRivals([claim('m1', 85), claim('m2', 75)]).map((one) => one.payment_id)).toEqual(['m1'])
    expect(withoutRivals([claim('m1', 85), claim('m2', 85)])).toEqual([])
  })
})
