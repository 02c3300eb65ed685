import { ANONYMOUS_RUT } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { seeCounterparties, writeLearnt } from './infer-store.ts'
import { type Heard, type Known, learn, sameAs, sourceOf } from './learn.ts'

/** The other side of a document, as the document names it. */
export interface NamedReceptor {
  readonly rut: string
  readonly legal_name?: string | null | undefined
  readonly giro?: string | null | undefined
  readonly address?:
    | {
        readonly street?: string | null | undefined
        readonly comuna?: string | null | undefined
        readonly city?: string | null | undefined
      }
    | null
    | undefined
}

/** The RUT that stands for any foreigner without one of its own: what one of them is says nothing of the next. */
const FOREIGN_RUT = '55555555-5'
const NOBODY: readonly string[] = [ANONYMOUS_RUT, FOREIGN_RUT]

/** Whether a RUT stands for nobody in particular, so that what it was called once says nothing. */
export function isNobody(rut: string): boolean {
  return NOBODY.includes(rut)
}

const UNKNOWN: Known = { legal_name: null, giro: null, street: null, comuna: null, city: null, inferred: [] }

/** Several documents to one RUT: the last word of each counts, and an address is one word. */
function fold(before: Heard | undefined, receptor: NamedReceptor): Heard {
  const { street = null, comuna = null, city = null } = receptor.address ?? {}
  const told = street !== null || comuna !== null || city !== null
  return {
    legal_name: receptor.legal_name ?? before?.legal_name ?? null,
    giro: receptor.giro ?? before?.giro ?? null,
    street: told ? street : (before?.street ?? null),
    comuna: told ? comuna : (before?.comuna ?? null),
    city: told ? city : (before?.city ?? null),
  }
}

/**
 * Puts whom the empresa invoiced into its address book, in the order of the documents. What the caller recorded stays;
 * what is known from documents alone follows the latest one. Safe to repeat: a document heard twice changes nothing.
 */
export async function inferCounterparties(
  sql: Sql,
  scope: EmpresaScope,
  receptors: readonly NamedReceptor[],
  now: Date,
): Promise<void> {
  const heard = new Map<string, Heard>()
  for (const receptor of receptors) {
    // An empresa that invoices itself is found under its own name, not in its address book.
    if (receptor.rut === scope.rut || NOBODY.includes(receptor.rut)) continue
    heard.set(receptor.rut, fold(heard.get(receptor.rut), receptor))
  }
  if (heard.size === 0) return
  const seen = new Map((await seeCounterparties(sql, scope, [...heard.keys()])).map((row) => [row.rut, row]))
  const learnt = [...heard].flatMap(([rut, said]) => {
    const before = seen.get(rut)
    const after = learn(before ?? UNKNOWN, said)
    if (before && sameAs(before, after)) return []
    return [{ ...after, rut, source: sourceOf(after), version: before?.version ?? null }]
  })
  if (learnt.length > 0) await writeLearnt(sql, scope, learnt, now)
}
