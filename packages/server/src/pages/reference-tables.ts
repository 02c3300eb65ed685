import { TIPOS } from '@timbre/dte/values'
import { ERROR_CODES, errorEntry, isRetriable } from '../catalog/errors.ts'
import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { BUCKETS, CEILINGS } from '../catalog/limits.ts'
import { ESTADOS_CONTABLES, type IvaCode, type TipoCompra } from '../catalog/rcv.ts'
import { SCOPE_NAMES, SCOPES } from '../catalog/scopes.ts'

/** Reference data under a name, for programs that look things up before they act. */
export interface ReferenceTable {
  readonly name: string
  readonly title: string
  readonly about: string
  rows(): unknown
}

// The words of the SII (Registro de Compras y Ventas; IECV, Código IVA No Rec.).
const TIPOS_COMPRA: Readonly<Record<TipoCompra, string>> = {
  1: 'del giro',
  2: 'supermercados',
  3: 'bienes raíces',
  4: 'activo fijo',
  5: 'IVA uso común',
  6: 'IVA no recuperable',
  7: 'no corresponde incluir',
}
const IVA_REASONS: Readonly<Record<IvaCode, string>> = {
  1: 'compras destinadas a operaciones no gravadas o exentas',
  2: 'facturas registradas fuera de plazo',
  3: 'gastos rechazados',
  4: 'entregas gratuitas recibidas',
  9: 'otros',
}

const errorCodes = () =>
  ERROR_CODES.map((code) => {
    const { type, status, message, hint } = errorEntry(code)
    return { code, type, status, message, hint, retriable: isRetriable(code) }
  })

/** Reference data, each from the table the service itself reads. */
export const REFERENCE_TABLES: readonly ReferenceTable[] = [
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
