import { defineOperation } from '../../operation.ts'
import { loadIndicators } from './load.ts'
import { IndicatorLoad, LoadIndicators } from './schema.ts'

export const indicatorOperations = [
  defineOperation({
    id: 'indicators.load',
    method: 'POST',
    path: '/indicators',
    summary: 'Load UTM, UF, IPC or the interest of late payments',
    description:
      'For the operator alone, as `npm run load-indicators` is. One that is wrong refuses them all; one that was loaded ' +
      'before is replaced. They hold for every account from the next computation on.',
    reach: 'installation',
    body: LoadIndicators,
    returns: IndicatorLoad,
    audited: true,
    run: loadIndicators,
  }),
]
