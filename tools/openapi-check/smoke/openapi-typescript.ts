// Compiled beside what openapi-typescript writes, never run: a type that says less than the contract stops it.

import type { components as account } from './bootstrap.ts'
import type { components, operations, paths } from './v1.ts'

type Schemas = components['schemas']

export const created: Schemas['DocumentCreate'] = {
  tipo_dte: 33,
  receptor: { rut: '77123456-9', legal_name: 'Pérez e Hijos Ltda.' },
  items: [{ description: 'Resma de papel', quantity: 2, unit_price: 2500 }],
}

// @ts-expect-error There is no tipo 35.
export const tipo: Schemas['DocumentCreate'] = { tipo_dte: 35, items: [{ description: 'x' }] }

// @ts-expect-error A document has lines.
export const lines: Schemas['DocumentCreate'] = { tipo_dte: 33 }

/** Its type tells what an event carries. */
export function folioOf(event: Schemas['Event']): number | null {
  if (event.type === 'document.accepted') return event.data.object.folio
  // @ts-expect-error Not every event is about a document.
  return event.data.object.folio
}

type Answers = operations['documents.create']['responses']
export const status = (answer: Answers[201]['content']['application/json']): 'queued' | string => answer.status

/** A refusal lists its faults, and whatever else its code brings. */
export function faultsOf({ error }: Schemas['Error']): string[] {
  const page: unknown = error.details?.checkout_url
  return [
    ...(error.details?.errors ?? []).map(({ param, code, message }) => `${param} ${code} ${message}`),
    String(page),
  ]
}

export type Pdf = paths['/documents/{document_id}/pdf']['get']['responses'][200]['content']['application/pdf']

export const refused = ({ errors, data }: account['schemas']['AccountError']): string =>
  `${errors[0]} ${data.request_id}`
