import type { DteDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, type TipoDte, tipo } from '@timbre/dte/values'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { findCounterparty } from '../counterparty/find.ts'
import { isNobody } from '../counterparty/infer.ts'
import type { CounterpartyRow } from '../counterparty/show.ts'
import type { CreateDocument } from './create-schema.ts'
import { emisorOf } from './emisor.ts'
import type { ReceptorSource } from './schema.ts'
import { lastReceptor } from './store.ts'

type Receptor = DteDraft['receptor']
type Asked = CreateDocument['receptor']

/** The fields a receptor is completed with, by their dotted names. */
const FIELDS = ['legal_name', 'giro', 'address.street', 'address.comuna', 'address.city'] as const
type Field = (typeof FIELDS)[number]
type Known = Partial<Record<Field, string | null | undefined>>

/** What the factura family must say of its receptor; the city is welcome and never asked for. */
const NEEDED: readonly Field[] = ['giro', 'address.street', 'address.comuna', 'legal_name']

export interface ResolvedReceptor {
  readonly receptor: Receptor
  readonly sources: Record<string, ReceptorSource>
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

/** What is known so far of each field, and where it came from. A later place fills only what the earlier ones left. */
class Finding {
  readonly values = new Map<Field, string>()
  readonly sources: Record<string, ReceptorSource> = {}

  take(source: ReceptorSource, known: Known): void {
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

  lacks(fields: readonly Field[]): Field | undefined {
    return fields.find((field) => !this.values.has(field))
  }
}

/**
 * Who receives the document, from four places in order: what the request carries, the empresa itself when it is its
 * own receptor, the address book, and an earlier document to the same RUT. Refused before a folio is spent.
 */
export async function resolveReceptor(
  ctx: EmpresaContext,
  emisor: EmpresaRow,
  tipo_dte: TipoDte,
  asked: Asked,
): Promise<ResolvedReceptor> {
  const boleta = tipo(tipo_dte).family === 'boleta'
  if (!asked) {
    if (!boleta) throw incomplete('rut')
    return { receptor: { rut: ANONYMOUS_RUT }, sources: {} }
  }
  const finding = new Finding()
  finding.take('request', knownOf(asked))
  // A boleta carries what it was given: its buyer needs no address, and a name nobody sent must not appear on it.
  if (!boleta && finding.lacks(NEEDED) !== undefined) await complete(ctx, emisor, tipo_dte, asked, finding)
  const missing = boleta ? undefined : finding.lacks(NEEDED)
  if (missing !== undefined) throw incomplete(missing)
  return { receptor: receptorOf(asked, finding), sources: finding.sources }
}

/** What the address book knows, as far as `wanted` says. */
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
  { rut }: NonNullable<Asked>,
  finding: Finding,
): Promise<void> {
  // As its documents carry it: one that receives from itself says the same at both ends.
  if (rut === emisor.rut) finding.take('empresa', knownOf(emisorOf(emisor, tipo_dte)))
  if (finding.lacks(NEEDED) === undefined) return
  const recorded = await findCounterparty(ctx.sql, ctx.empresa, rut)
  if (recorded) {
    finding.take(
      'counterparty',
      recordedOf(recorded, (field) => !recorded.inferred.includes(field)),
    )
    // What was inferred is an earlier document by another road, and counts as one.
    finding.take(
      'earlier_document',
      recordedOf(recorded, (field) => recorded.inferred.includes(field)),
    )
  }
  // Nobody in particular: what an earlier one said of itself is not said of this one.
  if (finding.lacks(NEEDED) === undefined || isNobody(rut)) return
  const earlier = await lastReceptor(ctx.sql, ctx.empresa, rut)
  if (earlier) finding.take('earlier_document', knownOf(earlier))
}

function receptorOf(asked: NonNullable<Asked>, { values }: Finding): Receptor {
  const { rut, email, phone, contact } = asked
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
  }
}

function incomplete(field: string): Problem {
  const param = `receptor.${field}`
  return new Problem('receptor_incomplete', { param, message: `${param} is needed for this tipo_dte.` })
}
