/** The face for those who price and judge drafts and emit nothing: no XML, no keys, no pages. */
export { checkDraft } from './check.ts'
export type * from './document.ts'
export type { Refusal } from './refusal.ts'
export type { Circumstances } from './rules/rule.ts'
export { completeDraft, type Priced, priceDraft } from './totals.ts'
