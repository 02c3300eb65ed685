import { defineMachine, type StatusOf, type TriggerOf } from '../../../kernel/machine.ts'

// A person decides, unless what it was about goes away first.
// biome-ignore format: one transition per line reads as the table it is
export const suggestionMachine = defineMachine({
  object: 'tax_suggestion',
  table: 'suggestion',
  column: 'status',
  initial: ['open', 'withdrawn'],
  terminal: ['confirmed', 'dismissed', 'withdrawn'],
  rows: [
    { on: 'found',     from: null,   to: 'open',      event: 'tax.suggestion.created' },
    { on: 'confirmed', from: 'open', to: 'confirmed', event: 'tax.suggestion.confirmed' },
    { on: 'dismissed', from: 'open', to: 'dismissed', event: 'tax.suggestion.dismissed' },
    { on: 'withdrawn', from: 'open', to: 'withdrawn' },
  ],
})

export type SuggestionStatus = StatusOf<typeof suggestionMachine>
export type SuggestionTrigger = TriggerOf<typeof suggestionMachine>
export const SUGGESTION_STATUSES = ['open', 'confirmed', 'dismissed', 'withdrawn'] as const
