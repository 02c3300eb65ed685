import { describe, expect, it } from 'vitest'
import { bankIn, isSameAccount, tailIn } from '../ingest/account.ts'
import { type Compared, findDuplicates } from './find.ts'

const never = () => false
let made = 0
const told = (feed: string, more: Partial<Compared> = {}): Compared => ({
  id: `${feed}${made++}`,
  feed,
  bank_account: `${feed} 4321`,
  tail: '4321',
  bank: null,
  post_date: '2026-10-20',
  amount: -5_000,
  currency: 'CLP',
  words: `PAGO ${feed}`,
  behind: [],
  ...more,
})
const cartola = (more: Partial<Compared> = {}) => told('statements', more)
const bank = (more: Partial<Compared> = {}) => told('con_1', more)
const reasons = (ours: Compared[], others: Compared[], apart = never as (a: string, b: string) => boolean) =>
  findDuplicates(ours, others, apart).map(({ certain, reason }) => [certain, reason])

describe('an account', () => {
  it('is told by the end of its number, however it is written, and by its bank', () => {
    expect(['0-000-8139-9016-8', 'Banco X Cuenta 2 ••••0168', 'XXXX-XXXX-0168'].map(tailIn)).toEqual(
      Array(3).fill('0168'),
    )
    expect(tailIn('sin número')).toBeNull()
    expect(['cl_banco_de_chile', 'BancoEstado CuentaRUT', 'Cartola Itaú', 'Banco de Prueba'].map(bankIn)).toEqual([
      'chile',
      'estado',
      'itau',
      null,
    ])
    expect(bankIn('Santander y BCI')).toBeNull()
  })

  it('is the same for certain only where both tell the number, and never at two banks', () => {
    const mark = (tail: string | null, name: string | null) => ({ tail, bank: name })
    expect(isSameAccount(mark('1', 'bci'), mark('1', null))).toBe('yes')
    expect(isSameAccount(mark(null, 'bci'), mark('1', 'bci'))).toBe('maybe')
    expect(isSameAccount(mark('1', 'bci'), mark('1', 'itau'))).toBe('no')
    expect(isSameAccount(mark('1', null), mark('2', null))).toBe('no')
  })
})

describe('what two sources tell', () => {
  it('is one where account, day and amount agree as often, whatever the words', () => {
    expect(reasons([cartola()], [bank()])).toEqual([[true, 'same_day_and_amount']])
    const twice = findDuplicates([cartola(), cartola()], [bank(), bank()], never)
    expect(new Set(twice.map(({ of }) => of)).size).toBe(2)
  })

  it('is never a second line of a source that tells it already', () => {
    expect(reasons([cartola()], [bank({ behind: ['statements'] })])).toEqual([])
    expect(reasons([cartola({ behind: ['con_1'] })], [bank()])).toEqual([])
  })

  it('is told by its words first', () => {
    const ours = [cartola({ words: 'CAFE' }), cartola({ words: 'FACEBK' })]
    const theirs = [bank({ words: 'FACEBK' }), bank({ words: 'OTRO' })]
    const [first, second] = findDuplicates(ours, theirs, never)
    expect([first?.id, first?.of, first?.reason]).toEqual([ours[1]?.id, theirs[0]?.id, 'same_words'])
    expect([second?.id, second?.of]).toEqual([ours[0]?.id, theirs[1]?.id])
  })

  it('is only suspected where one tells it more often, the account is not told, or a few days lie between', () => {
    expect(reasons([cartola()], [bank(), bank()])).toEqual([[false, 'counts_differ']])
    expect(reasons([cartola({ tail: null })], [bank()])).toEqual([[false, 'account_unknown']])
    const two = [bank({ bank_account: 'Corriente 4321' }), bank({ bank_account: 'Vista 4321' })]
    expect(reasons([cartola()], two)).toEqual([[false, 'account_unknown']])
    expect(reasons([cartola()], [bank({ post_date: '2026-10-22' })])).toEqual([[false, 'other_day']])
  })

  it('is two at another amount, currency, account or bank, farther apart, or where somebody said so', () => {
    for (const more of [
      { amount: 5_000 },
      { currency: 'USD' },
      { tail: '9999' },
      { post_date: '2026-10-24' },
      { bank: 'bci' },
    ]) {
      expect([more, reasons([cartola({ bank: 'itau' })], [bank(more)])]).toEqual([more, []])
    }
    expect(reasons([cartola()], [bank()], () => true)).toEqual([])
  })
})
