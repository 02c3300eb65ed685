import { type Static, Type } from 'typebox'
import { Closed, Named, OneLine, OneOf } from '../../../kernel/schema.ts'
import { INDICATORS } from './indicators.ts'

const Written = Closed({
  indicator: OneOf(INDICATORS),
  period: OneLine(10, {
    description: '`YYYY-MM`; of `uf` the day `YYYY-MM-DD`; of `interest` the first month of its half year.',
    examples: ['2026-03'],
  }),
  value: OneLine(20, {
    description:
      'Digits, with a dot before decimals. `utm`: whole pesos. `uf`: pesos. `ipc`: the index of the INE, of one base for ' +
      'every month. `interest`: percent for each day of delay, as the SII fixes it for a half year.',
    examples: ['69611'],
  }),
})

export const LoadIndicators = Closed({ indicators: Type.Array(Written, { minItems: 1, maxItems: 1_000 }) })
export type LoadIndicators = Static<typeof LoadIndicators>

const Loaded = Closed({
  indicator: OneOf(INDICATORS),
  count: Type.Integer({ description: 'How many of it were loaded in all.' }),
  last_period: Type.String(),
})

export const IndicatorLoad = Named(
  'IndicatorLoad',
  Closed({
    object: Type.Literal('indicator_load'),
    loaded: Type.Integer({ description: 'How many figures this call brought.' }),
    indicators: Type.Array(Loaded),
  }),
)
export type IndicatorLoad = Static<typeof IndicatorLoad>
