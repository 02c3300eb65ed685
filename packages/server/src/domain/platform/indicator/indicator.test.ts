import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_SECRET, openWorld, type World } from '../../../../test/support/world.ts'
import { inventMissing } from './invent.ts'
import { loadIndicatorsFile } from './load.ts'
import { readIndicators } from './lookup.ts'
import { parseIndicatorsFile } from './parse.ts'
import { keyOf, knownIndicators, SHIPPED } from './shipped.ts'

describe('the figures that the program carries', () => {
  it('are those of the months that were published; no other is guessed', () => {
    const utm = (month: string) => SHIPPED.of('utm', month)?.units ?? null
    expect([utm('2025-11'), utm('2018-01'), utm('2023-05'), utm('2026-03')]).toEqual([69_542, 47_019, null, null])
    // Res. Ex. SII 75 of 2025: 0.0222222222 % a day, in units of its tenth decimal.
    expect(SHIPPED.of('interest', '2025-07')).toEqual({ units: 222_222_222, invented: false })
    expect(SHIPPED.of('interest', '2026-01')).toBeNull()
  })

  it('give way to what was loaded', () => {
    const known = knownIndicators(new Map([[keyOf('utm', '2026-02'), 70_000]]))
    expect(known.of('utm', '2026-02')?.units).toBe(70_000)
  })
})

describe('a figure that the sandbox makes up', () => {
  it('is the last known one, 3 per thousand more for each month since, rounded to the last decimal', () => {
    const invented = inventMissing(SHIPPED)
    // 69,611 x 1.003 = 69,819.8; 69,820 x 1.003 = 70,029.46
    expect(invented.of('utm', '2026-03')).toEqual({ units: 69_820, invented: true })
    expect(invented.of('utm', '2026-04')).toEqual({ units: 70_029, invented: true })
    expect(invented.of('utm', '2026-02')).toEqual({ units: 69_611, invented: false })
    // No index is known: 100 in January 2018; 100 x 1.003 a month later.
    expect(invented.of('ipc', '2018-02')?.units).toBe(100_3000)
    expect(invented.of('interest', '2026-07')).toEqual({ units: 222_222_222, invented: true })
  })
})

const HEADER = 'indicator,period,value'
const refusal = (...lines: string[]) => {
  try {
    parseIndicatorsFile([HEADER, ...lines].join('\n'))
  } catch (error) {
    return (error as Error).message
  }
  return null
}

describe('a file of indicators', () => {
  it('is read whole: each figure in units of its last decimal', () => {
    const text = `\uFEFF${HEADER}\r\nUTM,2026-03,69889\r\nuf,2026-03-09,39841.7\r\nipc,2026-01,110.42\r\n\r\ninterest,2026-07,0.0222222222\r\n`
    expect(parseIndicatorsFile(text)).toEqual([
      { indicator: 'utm', period: '2026-03', units: 69_889 },
      { indicator: 'uf', period: '2026-03-09', units: 39_841_70 },
      { indicator: 'ipc', period: '2026-01', units: 110_4200 },
      { indicator: 'interest', period: '2026-07', units: 222_222_222 },
    ])
  })

  it.each([
    ['utm,2026-3,69889', 'line 2: period: it must be a month such as 2026-03.'],
    ['utm,2026-03-01,69889', 'line 2: period: it must be a month such as 2026-03.'],
    ['uf,2026-02-30,39841', 'line 2: period: it must be a day such as 2026-03-09.'],
    ['ufx,2026-02-28,39841', 'line 2: indicator: it must be one of utm, uf, ipc, interest.'],
    ['utm,2026-03,69.889', 'line 2: value: it must be whole pesos, and nothing else.'],
    ['utm,2026-03,6988', 'line 2: value: it must be whole pesos, between 20000 and 500000.'],
    ['ipc,2026-03,0.4', 'line 2: value: it must be points of the index, not a percentage, between 20 and 1000.'],
    ['interest,2026-03,0.02', 'line 2: period: it must be the first month of a half year from 2025 on'],
    ['interest,2024-07,0.02', 'line 2: period: it must be the first month of a half year from 2025 on'],
    ['interest,2026-07,1.5', 'line 2: value: it must be percent for each day'],
    ['uf,2026-03-09,39841,72', 'line 2: it has 4 columns instead of 3; decimals are written with a dot.'],
  ])('with %s is refused with its line', (line, says) => {
    expect(refusal(line)).toContain(says)
  })

  it('names every wrong line at once, one that is there twice, and a header or figures that are missing', () => {
    const lines = ['utm,2026-03,69889', 'utm,2026-13,1', 'utm,2026-03,69889']
    expect(refusal(...lines)).toMatch(/^line 3: period: .*\nline 4: utm 2026-03 is there twice\.$/)
    expect(() => parseIndicatorsFile('utm,2026-03,69889')).toThrow('line 1: it must be "indicator,period,value".')
    expect(refusal()).toBe('There is no figure in it.')
  })
})

describe('POST /indicators', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())
  const load = (...indicators: object[]) =>
    world.post('/v1/indicators', { headers: { 'svc-operator-secret': OPERATOR_SECRET }, body: { indicators } })

  it('200 keeps them for every process, over the table, over what a file brought, and in live mode makes up none', async () => {
    expect(await loadIndicatorsFile(world.db, `${HEADER}\nutm,2026-03,69111\nuf,2026-03-09,39841.72\n`)).toBe(2)
    const sent = await load(
      { indicator: 'utm', period: '2026-03', value: '69889' },
      { indicator: 'utm', period: '2026-02', value: '69612' },
    )
    expect([sent.status, sent.body]).toEqual([
      200,
      {
        object: 'indicator_load',
        loaded: 2,
        indicators: [
          { indicator: 'uf', count: 1, last_period: '2026-03-09' },
          { indicator: 'utm', count: 2, last_period: '2026-03' },
        ],
      },
    ])
    const live = await readIndicators(world.db.sql, 'live')
    expect(['2026-02', '2026-03', '2026-04'].map((month) => live.of('utm', month)?.units)).toEqual([
      69_612,
      69_889,
      undefined,
    ])
    const test = await readIndicators(world.db.sql, 'test')
    // 69,889 x 1.003 = 70,098.667
    expect(test.of('utm', '2026-04')).toEqual({ units: 70_099, invented: true })
  })

  it('400 invalid_field names the one that is wrong, and none is kept', async () => {
    const good = { indicator: 'ipc', period: '2026-01', value: '110.42' }
    const sent = await load(good, { indicator: 'ipc', period: '2026-02', value: '0,4' })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'indicators[1].value'])
    const twice = await load(good, good)
    expect([twice.status, twice.body.error.param]).toEqual([400, 'indicators[1].period'])
    expect((await readIndicators(world.db.sql, 'live')).of('ipc', '2026-01')).toBeNull()
  })
})
