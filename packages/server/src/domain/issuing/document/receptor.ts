import type { DteDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, type TipoDte, tipo } from '@timbre/dte/values'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { findCounterparty, isNobody } from '../counterparty/lookup.ts'
import type { CounterpartyRow } from '../counterparty/show.ts'
import type { CreateDocument } from './create-schema.ts'
import { emisorOf } from './emisor.ts'
import type { ReceptorSource } from './schema.ts'
import { lastReceptor } from './store.ts'

type Receptor = DteDraft['receptor']
type SentReceptor = CreateDocument['receptor']

/** The fields a receptor is completed with, by their dotted names. */
const FIELDS = ['legal_name', 'giro', 'address.street', 'address.comuna', 'address.city'] as const
type Field = (typeof FIELDS)[number]
type Known = Partial<Record<Field, string | null | undefined>>

/** The fields that the factura family requires of its receptor; the city is optional. */
const NEEDED: readonly Field[] = ['giro', 'address.street', 'address.comuna', 'legal_name']

export interface ResolvedReceptor {
  readonly receptor: Receptor
  readonly sources: Record<string, ReceptorSource>
  /** Every field that the tipo needs and no source has. */
  readonly faults: readonly Problem[]
}

function knownOf(place: {
  legal_name?: string | null | undefined
  giro?: string | null | undefined
  address?: Known | { street?: unknown; comuna?: unknown; city?: unknown } | undefined
}): Known {
  const address = (place.address ?? {}) as { street?: string; comuna?: string; city?: string }
  return {
    legal_name: place.legal_name,
    giro: place.giro,
    'address.street': address.street,
    'address.comuna': address.comuna,
    'address.city': address.city,
  }
}

const isMissing = (value: string | null | undefined) => value === undefined || value === null

/** Collects each field with its source. A later source fills only what the earlier ones left. */
class ReceptorFields {
  readonly values = new Map<Field, string>()
  readonly sources: Record<string, ReceptorSource> = {}

  fill(source: ReceptorSource, known: Known): void {
    // A city is never added to an address that came without one: it may be the city of another street.
    const has_address = [...this.values.keys()].some((field) => field.startsWith('address.'))
    for (const field of FIELDS) {
      const value = known[field]
      if (isMissing(value) || this.values.has(field)) continue
      if (has_address && field === 'address.city') continue
      this.values.set(field, value as string)
      this.sources[field] = source
    }
  }

  lacking(fields: readonly Field[]): readonly Field[] {
    return fields.filter((field) => !this.values.has(field))
  }
}

/**
 * Completes the receptor from four sources in order: what the request carries, the empresa itself when it is its
 * own receptor, the address book, and an earlier document to the same RUT. What lacks is told before a folio is spent.
 */
export async function resolveReceptor(
  ctx: EmpresaContext,
  emisor: EmpresaRow,
  tipo_dte: TipoDte,
  sent: SentReceptor,
): Promise<ResolvedReceptor> {
  const boleta = tipo(tipo_dte).family === 'boleta'
  if (!sent) {
    const faults = boleta ? [] : ['rut', ...NEEDED].map(incomplete)
    return { receptor: { rut: ANONYMOUS_RUT }, sources: {}, faults }
  }
  const fields = new ReceptorFields()
  fields.fill('request', knownOf(sent))
  // A boleta carries what it was given: its buyer needs no address, and a name nobody sent must not appear on it.
  if (!boleta && fields.lacking(NEEDED).length > 0) await complete(ctx, emisor, tipo_dte, sent, fields)
  const faults = boleta ? [] : fields.lacking(NEEDED).map(incomplete)
  return { receptor: receptorOf(sent, fields), sources: fields.sources, faults }
}

/** The fields of the address book that `wanted` selects. */
function recordedOf(row: CounterpartyRow, wanted: (field: string) => boolean): Known {
  const known = (field: 'legal_name' | 'giro' | 'street' | 'comuna' | 'city') => (wanted(field) ? row[field] : null)
  return {
    legal_name: known('legal_name'),
    giro: known('giro'),
    'address.street': known('street'),
    'address.comuna': known('comuna'),
    'address.city': known('city'),
  }
}

async function complete(
  ctx: EmpresaContext,
  emisor: EmpresaRow,
  tipo_dte: TipoDte,
  { rut }: NonNullable<SentReceptor>,
  fields: ReceptorFields,
): Promise<void> {
  // As its documents carry it: one that receives from itself says the same at both ends.
  if (rut === emisor.rut) fields.fill('empresa', knownOf(emisorOf(emisor, tipo_dte)))
  if (fields.lacking(NEEDED).length === 0) return
  const recorded = await findCounterparty(ctx.sql, ctx.empresa, rut)
  if (recorded) {
    fields.fill(
      'counterparty',
      recordedOf(recorded, (field) => !recorded.inferred.includes(field)),
    )
    // What was inferred came from an earlier document, and counts as one.
    fields.fill(
      'earlier_document',
      recordedOf(recorded, (field) => recorded.inferred.includes(field)),
    )
  }
  // A RUT of nobody in particular: the buyer of an earlier document is not this one.
  if (fields.lacking(NEEDED).length === 0 || isNobody(rut)) return
  const earlier = await lastReceptor(ctx.sql, ctx.empresa, rut)
  if (earlier) fields.fill('earlier_document', knownOf(earlier))
}

function receptorOf(sent: NonNullable<SentReceptor>, { values }: ReceptorFields): Receptor {
  const { rut, email, phone, contact, code, foreign } = sent
  const address = {
    street: values.get('address.street'),
    comuna: values.get('address.comuna'),
    city: values.get('address.city'),
  }
  const has_address = Object.values(address).some((part) => part !== undefined)
  return {
    rut,
    legal_name: values.get('legal_name'),
    giro: values.get('giro'),
    ...(has_address && { address }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(contact !== undefined && { contact }),
    ...(code !== undefined && { code }),
    ...(foreign !== undefined && { foreign }),
  }
}

function incomplete(field: string): Problem {
  const param = `receptor.${field}`
  return new Problem('receptor_incomplete', { param, message: `${param} is needed for this tipo_dte.` })
}
