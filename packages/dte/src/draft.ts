/** The face for those who price and judge drafts and emit nothing: no XML, no keys, no pages. */
export { checkDraft } from './document/check.ts'
export type * from './document/document.ts'
export type { Circumstances } from './document/rules/rule.ts'
export { completeDraft, type Priced, priceDraft } from './document/totals.ts'
export type { Refusal } from './refusal.ts'
