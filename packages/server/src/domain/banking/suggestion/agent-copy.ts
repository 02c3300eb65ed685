import { longDate } from '@timbre/dte/values'
import type { Irreversible } from '../../agent-tool.ts'
import type { TaxSuggestion } from './schema.ts'

export const confirmsSuggestion: Irreversible<TaxSuggestion> = {
  before: 'tax.suggestions.get',
  says: ({ provider, movement }) =>
    `Se va a emitir una factura de compra (tipo 46) por el pago a ${provider.name} del ${longDate(movement.post_date)}, con todo ` +
    'su IVA retenido. Una vez emitida solo se corrige con una nota.',
  shows: ({ type, provider, movement, amounts, period }) => ({ type, provider, movement, amounts, period }),
}
