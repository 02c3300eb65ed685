import { listOf } from '../../../kernel/schema.ts'
import { COMPOSE_ERRORS } from '../../issuing/document/compose.ts'
import { defineOperation } from '../../operation.ts'
import { confirmsSuggestion } from './agent-copy.ts'
import { confirmSuggestion, dismissSuggestion } from './decide.ts'
import { listTaxSuggestions, readSuggestion } from './read.ts'
import { ConfirmSuggestion, DismissSuggestion, SuggestionPath, SuggestionQuery, TaxSuggestion } from './schema.ts'

const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const writes = { method: 'POST', reach: 'empresa', scope: 'documents:write' } as const
const ONE = '/tax/suggestions/{suggestion_id}'

export const suggestionOperations = [
  defineOperation({
    ...reads,
    id: 'tax.suggestions.list',
    path: '/tax/suggestions',
    summary: 'List what is suggested',
    description: 'Newest first.',
    query: SuggestionQuery,
    returns: listOf(TaxSuggestion),
    errors: ['invalid_cursor'],
    run: listTaxSuggestions,
  }),
  defineOperation({
    ...reads,
    id: 'tax.suggestions.get',
    path: ONE,
    summary: 'Read a suggestion',
    params: SuggestionPath,
    returns: TaxSuggestion,
    errors: ['suggestion_not_found'],
    run: readSuggestion,
  }),
  defineOperation({
    ...writes,
    id: 'tax.suggestions.confirm',
    path: `${ONE}/confirm`,
    summary: 'Do what is suggested',
    description:
      '`emit_46` issues the factura de compra with all of its IVA withheld, and ties the payment to it. What the body ' +
      'says replaces what we knew. The document then goes its own way: follow it by `document_id`.',
    params: SuggestionPath,
    body: ConfirmSuggestion,
    returns: TaxSuggestion,
    errors: [
      'suggestion_not_found',
      'suggestion_settled',
      'period_locked',
      'tipo_not_available_for_channel',
      ...COMPOSE_ERRORS,
    ],
    mcp: { irreversible: confirmsSuggestion },
    run: confirmSuggestion,
  }),
  defineOperation({
    ...writes,
    id: 'tax.suggestions.dismiss',
    path: `${ONE}/dismiss`,
    summary: 'Dismiss a suggestion',
    description: 'It is remembered: the same is not suggested again.',
    params: SuggestionPath,
    body: DismissSuggestion,
    returns: TaxSuggestion,
    errors: ['suggestion_not_found', 'suggestion_settled'],
    run: dismissSuggestion,
  }),
]
