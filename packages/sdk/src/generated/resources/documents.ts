// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Cedibility, Document, DocumentCede, DocumentCreate, DocumentCreditNote, DocumentEventsQuery, DocumentExportQuery, DocumentInvoiceGuias, DocumentJournalEntry, DocumentListQuery, DocumentPaymentCreate, DocumentPaymentListQuery, DocumentPdfQuery, DocumentPreview, DocumentPreviewCreate, DocumentPublicLinkCreate, DocumentPublicLinkListQuery, DocumentSend, Job, Payment, PublicLink, PublicLinkWithUrl } from '../types.ts'

export interface DocumentsResource {
  /**
   * Download the PDF of a document.
   *
   * The printed representation, with its timbre. Printed when first asked for and the same from then on. It exists as soon as the document is signed, a moment after its creation; until then `409 artifact_not_ready` says when to ask again.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.pdf
   */
  pdf(document_id: string, input?: DocumentPdfQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * Download the signed XML of a document.
   *
   * The very bytes that were sent to the SII, in ISO-8859-1: any other copy would not verify.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.xml
   */
  xml(document_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * List the documents an empresa issued.
   *
   * Newest first by `created_at`. Bounds are inclusive. Headings alone; `expand=items` adds what GET …/{document_id} shows.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.list
   */
  list(input?: DocumentListQuery, options?: CallOptions): PageCall<List<Document>>
  /**
   * Download the documents an empresa issued as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.export
   */
  export(input?: DocumentExportQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * Issue a document.
   *
   * Answers at once with status `queued` and no folio. The document is then numbered, signed, sent and settled; webhooks tell each step, or poll it as `Svc-Poll-After` says. In test mode it is accepted about a second later.
   *
   * Scope: `documents:write`.
   *
   * Limit: 10 per 1 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.create
   */
  create(input: DocumentCreate, options?: CallOptions): Promise<Document>
  /**
   * Read a document.
   *
   * All of it as it was issued: lines, discounts, taxes, references, payment terms and dispatch.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.get
   */
  get(document_id: string, options?: CallOptions): Promise<Document>
  /**
   * Read the journal of a document.
   *
   * Oldest first. It starts at the folio, and is finer than the public status.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.events
   */
  events(document_id: string, input?: DocumentEventsQuery, options?: CallOptions): PageCall<List<DocumentJournalEntry>>
  /**
   * Issue one factura over several guías.
   *
   * Lines and amounts come from the guías, and a reference to each is made; without a taxed line it is a tipo 34. Each guía is invoiced once: `GET /documents?invoiced=false` lists those that wait. One whose factura is rejected, fails or is annulled waits again. A factura written out with POST /documents that names a guía in `references` invoices it too.
   *
   * Scope: `documents:write`.
   *
   * Limit: 10 per 1 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/credit_notes#documents.invoice_guias
   */
  invoiceGuias(input: DocumentInvoiceGuias, options?: CallOptions): Promise<Document>
  /**
   * Mail a document to its receptor.
   *
   * Asynchronous: one letter a recipient, with the PDF, the XML and the signed envelope attached, and for each `document.emailed` or `document.email_failed`. Contacts that opted out are never mailed. In test mode letters reach the confirmed address of the account alone; to anybody else they count as taken and go nowhere, and to `bounce@` any domain they are refused.
   *
   * Scope: `documents:write`.
   *
   * Limit: 20 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.send
   */
  send(document_id: string, input?: DocumentSend, options?: CallOptions): Promise<Job>
  /**
   * Emit a nota de crédito over a document.
   *
   * An empty body annuls the whole document: it becomes `annulled` once the SII accepts the nota. The nota copies the receptor; what a boleta does not carry (giro, street, comuna) comes from the address book. Six months after the original it is marked as one that no longer lowers the debit of IVA. For anything else write the nota out with POST /documents.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/credit_notes#documents.credit_note
   */
  creditNote(document_id: string, input?: DocumentCreditNote, options?: CallOptions): Promise<Document>
  /**
   * Ask whether a factura can be ceded.
   *
   * Changes nothing. Tells everything that stands in the way (Ley 19.983), asking the SII where nothing here does: a receptor that claimed, or that has not answered in its eight days.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cesion#documents.cesion
   */
  cesion(document_id: string, options?: CallOptions): Promise<Cedibility>
  /**
   * Cede a factura.
   *
   * Hands the credit of a factura over to a cesionario, such as a factoring company, in the register of the SII. The job ends when the register has decided; `document.cesion_submitted`, then `document.cesion_confirmed` or `document.cesion_failed` tell of it, and the document shows it under `cesion`. A confirmed cesión is for good. In test mode the cesionario 77222201-7 is refused and 77222203-3 takes ten seconds.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cesion#documents.cede
   */
  cede(document_id: string, input: DocumentCede, options?: CallOptions): Promise<Job>
  /**
   * Download the signed AEC of a cesión.
   *
   * The Archivo Electrónico de Cesión of the last cesión, the very bytes that went to the register of the SII. A cesionario asks for it to check who ceded what.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/cesion#documents.aec
   */
  aec(document_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Try a failed document again.
   *
   * It goes back to `queued` with the folio and the signature it already had. One that is `sent` and that the SII lost (`failure.code` `sii_lost_envelope`) stays `sent` and is sent again; one that it has with other data (`sii_data_differ`) is asked about anew.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/documents#documents.retry
   */
  retry(document_id: string, options?: CallOptions): Promise<Document>
  readonly previews: DocumentsPreviewsResource
  readonly payments: DocumentsPaymentsResource
  readonly publicLinks: DocumentsPublicLinksResource
}

export interface DocumentsPublicLinksResource {
  /**
   * Create or rotate a public link.
   *
   * An address where anyone who has it sees the document and downloads its PDF and XML, without a credential. The living link of the same kind (plain or cedible) stops working. The address is told this once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/public_links#documents.public_links.create
   */
  create(document_id: string, input?: DocumentPublicLinkCreate, options?: CallOptions): Promise<PublicLinkWithUrl>
  /**
   * List the public links of a document.
   *
   * Newest first, those that were revoked too. Never their addresses.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/public_links#documents.public_links.list
   */
  list(document_id: string, input?: DocumentPublicLinkListQuery, options?: CallOptions): PageCall<List<PublicLink>>
  /**
   * Revoke every public link of a document.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/public_links#documents.public_links.delete
   */
  delete(document_id: string, options?: CallOptions): Promise<void>
}

export interface DocumentsPaymentsResource {
  /**
   * List the payments recorded on a document.
   *
   * Newest first. What came through a bank is a movement, with its match.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#documents.payments.list
   */
  list(document_id: string, input?: DocumentPaymentListQuery, options?: CallOptions): PageCall<List<Payment>>
  /**
   * Record a payment of a document outside the bank.
   *
   * For cash, cheques and whatever no movement of a bank tells. It never pays more than is pending, also when two are recorded at once. Repeating a call with the same Idempotency-Key records it once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#documents.payments.create
   */
  create(document_id: string, input?: DocumentPaymentCreate, options?: CallOptions): Promise<Payment>
  /**
   * Take back a payment that was recorded.
   *
   * What it paid is pending again. A payment of a bank is taken apart with the unmatch of its movement.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#documents.payments.delete
   */
  delete(document_id: string, payment_id: string, options?: CallOptions): Promise<void>
}

export interface DocumentsPreviewsResource {
  /**
   * Price and check a document without issuing it.
   *
   * Takes the body of POST /documents. It spends no folio, reserves nothing and can be read for a day.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/previews#documents.previews.create
   */
  create(input: DocumentPreviewCreate, options?: CallOptions): Promise<DocumentPreview>
  /**
   * Read a preview.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/previews#documents.previews.get
   */
  get(preview_id: string, options?: CallOptions): Promise<DocumentPreview>
}

export const documents: ResourceOf<DocumentsResource> = /* @__PURE__ */ resource<DocumentsResource>({
  pdf: 'GET /documents/{document_id}/pdf eqf',
  xml: 'GET /documents/{document_id}/xml ef',
  list: 'GET /documents eql',
  export: 'GET /documents/export eqf',
  create: 'POST /documents ekb',
  get: 'GET /documents/{document_id} e',
  events: 'GET /documents/{document_id}/events eql',
  invoiceGuias: 'POST /documents/invoice_guias ekb',
  send: 'POST /documents/{document_id}/send ekb',
  creditNote: 'POST /documents/{document_id}/credit_note ekb',
  cesion: 'POST /documents/{document_id}/cesion e',
  cede: 'POST /documents/{document_id}/cede ekb',
  aec: 'GET /documents/{document_id}/aec ef',
  retry: 'POST /documents/{document_id}/retry ek',
  previews: {
    create: 'POST /documents/previews ekb',
    get: 'GET /documents/previews/{preview_id} e',
  },
  payments: {
    list: 'GET /documents/{document_id}/payments eql',
    create: 'POST /documents/{document_id}/payments ekb',
    delete: 'DELETE /documents/{document_id}/payments/{payment_id} e',
  },
  publicLinks: {
    create: 'POST /documents/{document_id}/public_links ekb',
    list: 'GET /documents/{document_id}/public_links eql',
    delete: 'DELETE /documents/{document_id}/public_links e',
  },
})
