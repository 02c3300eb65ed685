// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Payment, QuarantinedFile, ReceivedDocument, ReceivedDocumentAcknowledgeReceipt, ReceivedDocumentExportQuery, ReceivedDocumentListQuery, ReceivedDocumentPaymentCreate, ReceivedDocumentPaymentListQuery, ReceivedDocumentQuarantineListQuery, ReceivedDocumentReject, ReplacedDocument } from '../types.ts'

export interface ReceivedDocumentsResource {
  /**
   * List the documents that suppliers sent.
   *
   * Newest first by `received_at`; with bounds on `issue_date` or `deadline_at`, by that date. Bounds are inclusive.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.list
   */
  list(input?: ReceivedDocumentListQuery, options?: CallOptions): PageCall<List<ReceivedDocument>>
  /**
   * Download the documents that suppliers sent as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.export
   */
  export(input?: ReceivedDocumentExportQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * Read a received document.
   *
   * `authenticity` tells whether it is proven to be its emisor's, and what is missing where it is not. A better proven document takes the place of the one under its emisor, tipo and folio, and keeps its id and its answers.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.get
   */
  get(received_document_id: string, options?: CallOptions): Promise<ReceivedDocument>
  /**
   * List what a received document took the place of.
   *
   * Documents that stood under its emisor, tipo and folio until a better proven one came, newest first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.replaced
   */
  replaced(received_document_id: string, options?: CallOptions): PageCall<List<ReplacedDocument>>
  /**
   * Download the signed XML of a received document.
   *
   * The very characters that the supplier signed, as a file of its own.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.xml
   */
  xml(received_document_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Download the PDF of a received document.
   *
   * Drawn by us from the XML of the supplier, amounts as written, with its timbre.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.pdf
   */
  pdf(received_document_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Accept a received document.
   *
   * Registers the acceptance of its content (ACD) with the SII, within eight days of its reception there. Accepting twice is once. After it the goods may still be acknowledged; it can no longer be claimed.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.accept
   */
  accept(received_document_id: string, options?: CallOptions): Promise<ReceivedDocument>
  /**
   * Claim against a received document.
   *
   * Registers a claim with the SII, within eight days of its reception there. A claim against the content (RCD) and one against the goods (RFP or RFT) may follow each other; nothing else may follow a claim.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.reject
   */
  reject(received_document_id: string, input: ReceivedDocumentReject, options?: CallOptions): Promise<ReceivedDocument>
  /**
   * Acknowledge goods or services.
   *
   * Registers the acknowledgement of goods or services (ERM, Ley 19.983) with the SII. It is not an acceptance, but after it the document can no longer be claimed.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/received_documents#received_documents.acknowledge_receipt
   */
  acknowledgeReceipt(received_document_id: string, input?: ReceivedDocumentAcknowledgeReceipt, options?: CallOptions): Promise<ReceivedDocument>
  readonly payments: ReceivedDocumentsPaymentsResource
  readonly quarantine: ReceivedDocumentsQuarantineResource
}

export interface ReceivedDocumentsQuarantineResource {
  /**
   * List the files that were set aside.
   *
   * What came and was not taken, with the reason, newest first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/quarantine#received_documents.quarantine.list
   */
  list(input?: ReceivedDocumentQuarantineListQuery, options?: CallOptions): PageCall<List<QuarantinedFile>>
  /**
   * Read a file that was set aside.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/quarantine#received_documents.quarantine.get
   */
  get(quarantined_file_id: string, options?: CallOptions): Promise<QuarantinedFile>
  /**
   * Download a file that was set aside.
   *
   * As it came. A stranger wrote it: do not open it as anything but text.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/quarantine#received_documents.quarantine.file
   */
  file(quarantined_file_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Release a file from quarantine.
   *
   * Reads it again and takes its documents. What is in order by now is taken as such; what has a false signature or timbre, a certificate that was not valid, or amounts that do not follow from its lines is taken as `unproven`, with its reasons and `released_from_quarantine`. Documents of another company stay set aside.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/quarantine#received_documents.quarantine.release
   */
  release(quarantined_file_id: string, options?: CallOptions): Promise<QuarantinedFile>
  /**
   * Discard a file in quarantine.
   *
   * Forgets its bytes at once and keeps that it came. Discarding twice is once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/quarantine#received_documents.quarantine.discard
   */
  discard(quarantined_file_id: string, options?: CallOptions): Promise<QuarantinedFile>
}

export interface ReceivedDocumentsPaymentsResource {
  /**
   * List the payments recorded on a document of a supplier.
   *
   * Newest first. What came through a bank is a movement, with its match.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#received_documents.payments.list
   */
  list(received_document_id: string, input?: ReceivedDocumentPaymentListQuery, options?: CallOptions): PageCall<List<Payment>>
  /**
   * Record a payment to a supplier outside the bank.
   *
   * For cash, cheques and whatever no movement of a bank tells. It never pays more than is pending, also when two are recorded at once. Repeating a call with the same Idempotency-Key records it once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#received_documents.payments.create
   */
  create(received_document_id: string, input?: ReceivedDocumentPaymentCreate, options?: CallOptions): Promise<Payment>
  /**
   * Take back a payment to a supplier that was recorded.
   *
   * What it paid is pending again. A payment of a bank is taken apart with the unmatch of its movement.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payments#received_documents.payments.delete
   */
  delete(received_document_id: string, payment_id: string, options?: CallOptions): Promise<void>
}

export const receivedDocuments: ResourceOf<ReceivedDocumentsResource> = /* @__PURE__ */ resource<ReceivedDocumentsResource>({
  list: 'GET /received_documents eql',
  export: 'GET /received_documents/export eqf',
  get: 'GET /received_documents/{received_document_id} e',
  replaced: 'GET /received_documents/{received_document_id}/replaced el',
  xml: 'GET /received_documents/{received_document_id}/xml ef',
  pdf: 'GET /received_documents/{received_document_id}/pdf ef',
  accept: 'POST /received_documents/{received_document_id}/accept ek',
  reject: 'POST /received_documents/{received_document_id}/reject ekb',
  acknowledgeReceipt: 'POST /received_documents/{received_document_id}/acknowledge_receipt ekb',
  payments: {
    list: 'GET /received_documents/{received_document_id}/payments eql',
    create: 'POST /received_documents/{received_document_id}/payments ekb',
    delete: 'DELETE /received_documents/{received_document_id}/payments/{payment_id} e',
  },
  quarantine: {
    list: 'GET /received_documents/quarantine eql',
    get: 'GET /received_documents/quarantine/{quarantined_file_id} e',
    file: 'GET /received_documents/quarantine/{quarantined_file_id}/file ef',
    release: 'POST /received_documents/quarantine/{quarantined_file_id}/release ek',
    discard: 'POST /received_documents/quarantine/{quarantined_file_id}/discard ek',
  },
})
