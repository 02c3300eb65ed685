import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { isNobody } from './lookup.ts'
import { type Fields, isSame, type KnownFields, mergeNamed, sourceOf } from './merge.ts'
import { findVersions, saveInferred } from './store.ts'

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

const UNKNOWN: KnownFields = { legal_name: null, giro: null, street: null, comuna: null, city: null, inferred: [] }

/** Of several documents to one RUT the last to name a field counts, and an address is one field. */
function fold(before: Fields | undefined, receptor: NamedReceptor): Fields {
  const { street = null, comuna = null, city = null } = receptor.address ?? {}
  const has_address = street !== null || comuna !== null || city !== null
  return {
    legal_name: receptor.legal_name ?? before?.legal_name ?? null,
    giro: receptor.giro ?? before?.giro ?? null,
    street: has_address ? street : (before?.street ?? null),
    comuna: has_address ? comuna : (before?.comuna ?? null),
    city: has_address ? city : (before?.city ?? null),
  }
}

/** What the address book of an empresa does not hold yet of the receptors of its documents, in the order of the documents. */
async function findUnknown(sql: Sql, scope: EmpresaScope, receptors: readonly NamedReceptor[]) {
  const named = new Map<string, Fields>()
  for (const receptor of receptors) {
    // An empresa that invoices itself is found under its own name, not in its address book.
    if (receptor.rut === scope.rut || isNobody(receptor.rut)) continue
    named.set(receptor.rut, fold(named.get(receptor.rut), receptor))
  }
  // Who has nothing to ask still keeps step with those who have: what follows is asked and written together.
  const known = new Map((await findVersions(sql, scope, [...named.keys()])).map((row) => [row.rut, row]))
  return [...named].flatMap(([rut, fields]) => {
    const before = known.get(rut)
    const after = mergeNamed(before ?? UNKNOWN, fields)
    if (before && isSame(before, after)) return []
    return [{ ...after, rut, source: sourceOf(after), version: before?.version ?? null }]
  })
}

/** Whether the receptors of documents are in the address book as those name them. */
export async function areKnown(sql: Sql, scope: EmpresaScope, receptors: readonly NamedReceptor[]): Promise<boolean> {
  return (await findUnknown(sql, scope, receptors)).length === 0
}

/**
 * Puts the receptors of an empresa's documents into its address book, in the order of the documents. What the caller
 * recorded stays; what is known from documents alone follows the latest one. Safe to repeat.
 */
export async function inferCounterparties(
  sql: Sql,
  scope: EmpresaScope,
  receptors: readonly NamedReceptor[],
  now: Date,
): Promise<void> {
  const inferred = await findUnknown(sql, scope, receptors)
  if (inferred.length > 0) await saveInferred(sql, scope, inferred, now)
}
