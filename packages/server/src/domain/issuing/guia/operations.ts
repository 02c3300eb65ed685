import { defineOperation } from '../../operation.ts'
import { emitsDocument } from '../document/agent-copy.ts'
import { COMPOSE_ERRORS } from '../document/compose.ts'
import { pollAfterDocument } from '../document/read.ts'
import { Document } from '../document/schema.ts'
import { invoiceGuias } from './invoice.ts'
import { InvoiceGuias } from './schema.ts'

const { says, shows } = emitsDocument

export const guiaOperations = [
  defineOperation({
    id: 'documents.invoice_guias',
    method: 'POST',
    path: '/documents/invoice_guias',
    summary: 'Issue one factura over several guías',
    description:
      'Lines and amounts come from the guías, and a reference to each is made; without a taxed line it is a tipo 34. ' +
      'Each guía is invoiced once: `GET /documents?invoiced=false` lists those that wait. One whose factura is ' +
      'rejected, fails or is annulled waits again. A factura written out with POST /documents that names a guía in ' +
      '`references` invoices it too.',
    reach: 'empresa',
    scope: 'documents:write',
    body: InvoiceGuias,
    returns: Document,
    status: 201,
    limit: 'documents.create',
    idempotent: 'required',
    paywalled: true,
    errors: [...COMPOSE_ERRORS, 'external_id_exists', 'guia_not_invoiceable'],
    pollAfter: pollAfterDocument,
    mcp: { irreversible: { says, shows } },
    run: invoiceGuias,
  }),
]
