import { describe, expect, it } from 'vitest'
import { ACTIONS, type ClaimAction, type ClaimEvent, judgeAct, judgeCedible } from './rules.ts'

const DAY = 86_400_000
const said = (...codes: ClaimEvent['code'][]): ClaimEvent[] =>
  codes.map((code) => ({ code, rut: '12345678-5', at: DAY }))

describe('the register of acceptance and claims', () => {
  it.each<[ClaimAction, ClaimEvent['code'][], number]>([
    ['ACD', [], 0],
    ['ERM', ['ACD'], 0],
    ['ACD', ['ERM'], 0],
    ['RCD', ['ACD'], 11],
    ['RFT', ['ERM'], 13],
    ['ACD', ['RCD'], 12],
    ['ERM', ['RFP'], 6],
    ['RFT', ['RCD'], 0],
    ['RCD', ['RFT'], 0],
    ['RFP', ['RFT'], 19],
    ['RFT', ['RFT'], 7],
    ['ERM', ['NCA'], 0],
  ])('answers to %s after %j with %i', (action, before, code) => {
    expect(judgeAct(action, said(...before), 0, 2 * DAY)).toBe(code)
  })

  it('takes nothing more after eight days of the reception, to the millisecond', () => {
    for (const action of ACTIONS) {
      expect(judgeAct(action, [], 0, 8 * DAY)).toBe(0)
      expect(judgeAct(action, [], 0, 8 * DAY + 1)).toBe(8)
    }
  })

  it('still says of an act that it was registered before, when the time is over', () => {
    expect(judgeAct('ERM', said('ERM'), 0, 30 * DAY)).toBe(7)
  })

  it.each<[string, ClaimEvent['code'][], number, number]>([
    ['nothing was said within the eight days', [], 2, 22],
    ['it was acknowledged', ['ERM'], 2, 23],
    ['it was claimed', ['RCD'], 2, 24],
    ['it was annulled within the eight days', ['NCA'], 2, 21],
    ['the eight days lapsed', [], 9, 25],
  ])('answers whether it may be ceded where %s', (_, before, days, code) => {
    expect(judgeCedible(said(...before), 0, days * DAY)).toBe(code)
  })

  it('lets a document be ceded that a note annulled after the eight days', () => {
    expect(judgeCedible([{ code: 'NCA', rut: '1-9', at: 9 * DAY }], 0, 10 * DAY)).toBe(25)
  })
})
