import type { Refusal } from '../../refusal.ts'
import type { DteDraft } from '../document.ts'
import type { Priced } from '../totals.ts'

/** What a rule may need to know of the day. Each one that is absent leaves its rules out. */
export interface Circumstances {
  /** The day it is in Santiago: a document dated later is refused. */
  readonly today?: string | undefined
  /** The day from which the SII lets the emisor issue this tipo: that of its resolución. */
  readonly authorized_on?: string | undefined
  /** Pesos per UF on the date of the document, for the large-boleta rules. */
  readonly uf?: number | undefined
}

/** A rule between fields. It runs on drafts whose fields are right one by one, with their amounts computed. */
export type Rule = (draft: DteDraft, priced: Priced, circumstances: Circumstances) => readonly Refusal[]
