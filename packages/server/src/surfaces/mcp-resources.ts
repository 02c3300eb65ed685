import { TIPOS } from '@timbre/dte/values'
import { ERROR_CODES, errorEntry, isRetriable } from '../catalog/errors.ts'
import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { BUCKETS, CEILINGS } from '../catalog/limits.ts'
import { ESTADOS_CONTABLES } from '../catalog/rcv.ts'
import { SCOPE_NAMES, SCOPES } from '../catalog/scopes.ts'
import type { Operation } from '../kernel/operation.ts'
import { errorPage } from '../pages/errors.ts'
import { markdownOf } from '../pages/twin.ts'
import type { Addresses } from '../ports/ports.ts'
import { type Docs, openDocs } from './pages.ts'

interface Text {
  readonly mimeType: string
  readonly text: string
}

interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

/** What an agent can read without acting: reference data of this version, and the documentation. */
export interface Library {
  readonly listed: readonly Resource[]
  readonly templates: readonly object[]
  read(uri: string): Promise<Text | null>
}

const JSON_TYPE = 'application/json'
const MARKDOWN_TYPE = 'text/markdown'

const errorCodes = () =>
  ERROR_CODES.map((code) => {
    const { type, status, message, hint } = errorEntry(code)
    return { code, type, status, message, hint, retriable: isRetriable(code) }
  })

/** Reference data, each from the table the service itself reads. */
const TABLES: readonly { readonly name: string; readonly title: string; readonly about: string; rows(): unknown }[] = [
  {
    name: 'tipos_dte',
    title: 'Tipos of DTE',
    about: 'The tipos that can be issued: name, whether prices carry IVA, most items.',
    rows: () => Object.entries(TIPOS).map(([tipo_dte, facts]) => ({ tipo_dte: Number(tipo_dte), ...facts })),
  },
  { name: 'error_codes', title: 'Error codes', about: 'Every code, its hint, whether to retry.', rows: errorCodes },
  {
    name: 'event_types',
    title: 'Event types',
    about: 'What the ledger records, and when.',
    rows: () => EVENT_TYPES.map((type) => ({ type, ...EVENTS[type] })),
  },
  {
    name: 'scopes',
    title: 'Scopes',
    about: 'What each scope grants.',
    rows: () => SCOPE_NAMES.map((scope) => ({ scope, grants: SCOPES[scope].grants })),
  },
  {
    name: 'limits',
    title: 'Limits',
    about: 'Rates and sizes.',
    rows: () => ({ rates: BUCKETS, sizes: CEILINGS }),
  },
  {
    name: 'rcv',
    title: 'Vocabulary of the purchase register',
    about: 'Tipos of purchase, reasons for IVA that gives no credit, and estados contables.',
    rows: () => ({ tipos_compra: TIPOS_COMPRA, iva_not_recoverable_codes: IVA_REASONS, estados: ESTADOS_CONTABLES }),
  },
]

const TIPOS_COMPRA = {
  1: 'del giro',
  2: 'supermercados',
  3: 'bienes raíces',
  4: 'activo fijo',
  5: 'IVA uso común',
  6: 'IVA no recuperable',
  7: 'no corresponde incluir',
}
const IVA_REASONS = {
  1: 'compras destinadas a operaciones no gravadas o exentas',
  2: 'facturas registradas fuera de plazo',
  3: 'gastos rechazados',
  4: 'entregas gratuitas recibidas',
  9: 'otros',
}

const REFERENCE = 'timbre://reference/'
const ERROR = 'timbre://errors/'

function tableResources(): Resource[] {
  return TABLES.map(({ name, title, about }) => ({
    uri: REFERENCE + name,
    name,
    title,
    description: about,
    mimeType: JSON_TYPE,
  }))
}

function docResources({ pages }: Docs, { public_url }: Addresses): Resource[] {
  return pages.map(({ path, title, about }) => ({
    uri: `${public_url}${path}.md`,
    name: path.slice(1),
    title,
    description: about,
    mimeType: MARKDOWN_TYPE,
  }))
}

async function readDoc(docs: Docs, path: string): Promise<string | null> {
  const page = docs.pages.find((one) => `${one.path}.md` === path)
  if (page) return markdownOf((await page.answer()).body ?? '')
  const guide = (await docs.guides()).find(({ name }) => `/docs/guides/${name}.md` === path)
  return guide?.text ?? null
}

export function openLibrary(operations: readonly Operation[], addresses: Addresses): Library {
  const docs = openDocs(operations, addresses)
  const { public_url } = addresses
  const known = (code: string) => ERROR_CODES.find((one) => one === code)
  return {
    listed: [...tableResources(), ...docResources(docs, addresses)],
    templates: [
      {
        uriTemplate: `${ERROR}{code}`,
        name: 'error',
        title: 'One error code',
        description: 'What a code means, whether a retry can help, and which operations answer it.',
        mimeType: MARKDOWN_TYPE,
      },
      {
        uriTemplate: `${public_url}/docs/guides/{name}.md`,
        name: 'guide',
        title: 'A guide',
        description: 'A guide of the documentation; the page of guides lists their names.',
        mimeType: MARKDOWN_TYPE,
      },
    ],
    async read(uri) {
      const table = uri.startsWith(REFERENCE) && TABLES.find(({ name }) => name === uri.slice(REFERENCE.length))
      if (table) return { mimeType: JSON_TYPE, text: JSON.stringify(table.rows()) }
      const code = uri.startsWith(ERROR) ? known(uri.slice(ERROR.length)) : undefined
      if (code) return { mimeType: MARKDOWN_TYPE, text: markdownOf(errorPage(code, operations, addresses).body ?? '') }
      if (!uri.startsWith(`${public_url}/`)) return null
      const text = await readDoc(docs, uri.slice(public_url.length))
      return text === null ? null : { mimeType: MARKDOWN_TYPE, text }
    },
  }
}
