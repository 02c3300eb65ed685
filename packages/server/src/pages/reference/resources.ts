import { isOperators } from '../../domain/context.ts'
import type { Operation } from '../../domain/operation.ts'
import { titleOf } from '../docs-layout.ts'

/** A page of the reference: the operations on one thing. */
export interface Resource {
  readonly key: string
  readonly path: string
  readonly title: string
  readonly area: string
  readonly operations: readonly Operation[]
}

interface Row {
  readonly key: string
  readonly title?: string
  /** The beginnings of the ids on this page, where they are not its key. */
  readonly ids?: readonly string[]
}

/** The order in which a reader needs them. What is in no row gets a page of its own at the end. */
const AREAS: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  {
    title: 'Start',
    rows: [
      { key: 'cold_start', title: 'Cold start', ids: [] },
      { key: 'account' },
      { key: 'api_keys' },
      { key: 'empresas' },
    ],
  },
  {
    title: 'Issuing',
    rows: [
      { key: 'documents' },
      {
        key: 'credit_notes',
        title: 'Credit notes and guías',
        ids: ['documents.credit_note', 'documents.invoice_guias'],
      },
      { key: 'previews', title: 'Document previews', ids: ['documents.previews'] },
      { key: 'cesion', title: 'Cesión', ids: ['documents.cesion', 'documents.cede', 'documents.aec'] },
      { key: 'public_links', title: 'Public links', ids: ['documents.public_links'] },
      { key: 'folios' },
      { key: 'cafs' },
      { key: 'counterparties' },
      { key: 'contribuyentes' },
      { key: 'branding' },
    ],
  },
  {
    title: 'Receiving',
    rows: [
      { key: 'received_documents' },
      { key: 'quarantine', title: 'Quarantine', ids: ['received_documents.quarantine'] },
    ],
  },
  {
    title: 'Money',
    rows: [
      { key: 'payments', title: 'Payments', ids: ['documents.payments', 'received_documents.payments'] },
      { key: 'receivables' },
      { key: 'payables' },
      { key: 'connections', title: 'Bank connections' },
      { key: 'movements', title: 'Bank movements', ids: ['tax.movements'] },
      { key: 'statements', title: 'Bank statements', ids: ['tax.statements'] },
    ],
  },
  {
    title: 'Tax',
    rows: [
      {
        key: 'rcv',
        title: 'Purchases and sales (RCV)',
        ids: ['tax.purchases', 'tax.sales', 'tax.summary', 'tax.sync'],
      },
      { key: 'expenses', title: 'Expenses', ids: ['tax.expenses'] },
      { key: 'suggestions', title: 'Suggestions', ids: ['tax.suggestions'] },
      { key: 'f29', title: 'F29', ids: ['tax.f29'] },
      { key: 'automation_settings' },
    ],
  },
  {
    title: 'Going live',
    rows: [
      { key: 'onboarding' },
      { key: 'certification', title: 'Certification', ids: ['onboarding.certification'] },
      { key: 'certificate' },
      { key: 'mandato', ids: ['mandato', 'mandato_terms'] },
      { key: 'sfg_credential', title: 'SFG credential' },
      { key: 'subscription' },
    ],
  },
  {
    title: 'Platform',
    rows: [
      { key: 'events' },
      { key: 'webhook_endpoints' },
      { key: 'jobs' },
      { key: 'agent_grants' },
      { key: 'audit_log' },
      { key: 'usage' },
      { key: 'error_codes' },
      { key: 'sii', title: 'State of the SII' },
    ],
  },
  { title: 'Testing', rows: [{ key: 'test_helpers' }] },
  {
    title: 'Operators',
    rows: [
      { key: 'operator', title: 'Running an installation', ids: [] },
      { key: 'operator_onboarding', title: 'Onboarding work', ids: [] },
    ],
  },
]

const ROWS = AREAS.flatMap(({ title, rows }) => rows.map((row) => ({ area: title, ids: [row.key], ...row })))
const LAST_AREA = 'More'

/** The longest beginning wins: `documents.payments.list` is a payment before it is a document. */
const BEGINNINGS = ROWS.flatMap(({ key, ids }) => ids.map((start) => ({ key, start }))).toSorted(
  (a, b) => b.start.length - a.start.length,
)

function keyOf({ api, id, reach }: Operation): string {
  if (api === 'bootstrap') return 'cold_start'
  if (isOperators(reach)) return id.startsWith('onboarding.') ? 'operator_onboarding' : 'operator'
  const known = BEGINNINGS.find(({ start }) => id.startsWith(start) && (id === start || id[start.length] === '.'))
  return known?.key ?? id.split('.')[0] ?? id
}

/** What makes a thing, then what shows it, then the rest in the order of the table; what is done to its parts comes last. */
const VERBS = ['create', 'register', 'list', 'get', 'update']
function placeOf({ id }: Operation): number {
  const words = id.split('.')
  const verb = VERBS.indexOf(words.at(-1) ?? '')
  return words.length * 10 + (verb < 0 ? VERBS.length : verb)
}

export const resourcePath = (key: string) => `/docs/reference/${key}`

/** Every operation on exactly one page, the pages in the order of the areas. */
export function resourcesOf(operations: readonly Operation[]): Resource[] {
  const of = grouped(operations)
  const strays = [...of.keys()].filter((key) => !ROWS.some((row) => row.key === key))
  const rows = [...ROWS, ...strays.map((key) => ({ key, area: LAST_AREA, title: undefined }))]
  return rows.flatMap(({ key, area, title }) => {
    const own = of.get(key)
    return own ? [{ key, area, title: title ?? titleOf(key), path: resourcePath(key), operations: inOrder(own) }] : []
  })
}

const inOrder = (operations: readonly Operation[]) => operations.toSorted((a, b) => placeOf(a) - placeOf(b))

function grouped(operations: readonly Operation[]): Map<string, Operation[]> {
  const of = new Map<string, Operation[]>()
  for (const operation of operations) {
    const key = keyOf(operation)
    const known = of.get(key)
    if (known) known.push(operation)
    else of.set(key, [operation])
  }
  return of
}

/** Resources by area, in order. */
export function areasOf(resources: readonly Resource[]): { readonly title: string; readonly resources: Resource[] }[] {
  const titles = [...new Set(resources.map(({ area }) => area))]
  return titles.map((title) => ({ title, resources: resources.filter(({ area }) => area === title) }))
}

/** Where an operation is described. */
export function addressOf(operation: Operation): string {
  return `${resourcePath(keyOf(operation))}#${operation.id}`
}
