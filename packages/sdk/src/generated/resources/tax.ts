// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Expense, ExpenseCreate, ExpenseListQuery, ExpenseUpdate, F29Filing, F29FilingCreate, F29FilingListQuery, F29FilingOutcome, F29Proposal, F29ProposalEntriesExportQuery, F29ProposalEntriesQuery, F29ProposalListQuery, F29ProposalPublicLinkCreate, F29ProposalRecompute, F29PublicLink, Job, Movement, MovementListQuery, MovementMatch, MovementMerge, MovementWithCandidates, PurchaseCharacterize, PurchaseCharacterizeMany, PurchaseEstadoContable, PurchaseExportQuery, PurchaseListQuery, RcvCharacterization, RcvEntry, RcvList, RcvSummary, SaleExportQuery, SaleListQuery, Statement, StatementCreate, StatementListQuery, StatementPreview, StatementPreviewRequest, SuggestionConfirm, SuggestionDismiss, SuggestionListQuery, SummaryGetQuery, TaxSuggestion, TaxSync } from '../types.ts'

export interface TaxResource {
  /**
   * Read a period from the SII again.
   *
   * Always a new reading, unless one of the same period is still queued or running: then that job is the answer. After the first one that goes well the twelve months before it are read too, and from then on the last three months every day.
   *
   * Scope: `documents:write`.
   *
   * Limit: 10 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.sync
   */
  sync(input?: TaxSync, options?: CallOptions): Promise<Job>
  readonly expenses: TaxExpensesResource
  readonly f29: TaxF29Resource
  readonly movements: TaxMovementsResource
  readonly purchases: TaxPurchasesResource
  readonly sales: TaxSalesResource
  readonly summary: TaxSummaryResource
  readonly statements: TaxStatementsResource
  readonly suggestions: TaxSuggestionsResource
}

export interface TaxSuggestionsResource {
  /**
   * List what is suggested.
   *
   * Newest first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/suggestions#tax.suggestions.list
   */
  list(input?: SuggestionListQuery, options?: CallOptions): PageCall<List<TaxSuggestion>>
  /**
   * Read a suggestion.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/suggestions#tax.suggestions.get
   */
  get(suggestion_id: string, options?: CallOptions): Promise<TaxSuggestion>
  /**
   * Do what is suggested.
   *
   * `emit_46` issues the factura de compra with all of its IVA withheld, and ties the payment to it. What the body says replaces what we knew. The document then goes its own way: follow it by `document_id`.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/suggestions#tax.suggestions.confirm
   */
  confirm(suggestion_id: string, input?: SuggestionConfirm, options?: CallOptions): Promise<TaxSuggestion>
  /**
   * Dismiss a suggestion.
   *
   * It is remembered: the same is not suggested again.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/suggestions#tax.suggestions.dismiss
   */
  dismiss(suggestion_id: string, input?: SuggestionDismiss, options?: CallOptions): Promise<TaxSuggestion>
}

export interface TaxStatementsResource {
  /**
   * List the cartolas that were uploaded.
   *
   * Newest first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/statements#tax.statements.list
   */
  list(input?: StatementListQuery, options?: CallOptions): PageCall<List<Statement>>
  /**
   * Upload a cartola.
   *
   * A CSV, XLSX or XLS file of a Chilean bank or card. Encoding, separator, header, columns, dates and signs are found in the file; the day always comes before the month. Every row is read before the answer: a cell that cannot be is refused with `param` naming its row and column (`file.rows[12].fecha`), and nothing is imported. Formulas are not calculated. Tables that follow the movements under a title of their own, such as a summary of fees, bring nothing; one that is not known is told in `understood.warnings`. A movement that an earlier cartola brought is counted as a duplicate, so the same file twice, or two periods that overlap, import nothing twice. Up to 250,000 rows.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/statements#tax.statements.create
   */
  create(input: StatementCreate, options?: CallOptions): Promise<Job>
  /**
   * Show what a cartola would bring.
   *
   * Reads it as an upload would, answers what was understood, and writes nothing.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/statements#tax.statements.preview
   */
  preview(input: StatementPreviewRequest, options?: CallOptions): Promise<StatementPreview>
  /**
   * Read a cartola that was uploaded.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/statements#tax.statements.get
   */
  get(statement_id: string, options?: CallOptions): Promise<Statement>
  /**
   * Undo a cartola.
   *
   * Its movements go, with their expenses, what was guessed about them and open suggestions. What another cartola told too stays, as that one’s; what a bank connection told too is shown again. Refused while one of its movements is matched by somebody or to a tipo 46 that was issued for it. The file may be uploaded again.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/statements#tax.statements.delete
   */
  delete(statement_id: string, options?: CallOptions): Promise<void>
}

export interface TaxSummaryResource {
  /**
   * Summarize a period of both registers.
   *
   * Totals by side, tipo and estado, and where our own accepted documents differ from the register.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.summary.get
   */
  get(input: SummaryGetQuery, options?: CallOptions): Promise<RcvSummary>
}

export interface TaxSalesResource {
  /**
   * Download the register of sales as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.sales.export
   */
  export(input: SaleExportQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * List the register of sales.
   *
   * Boletas and payment vouchers appear as one monthly summary each, as the SII holds them.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.sales.list
   */
  list(input: SaleListQuery, options?: CallOptions): PageCall<RcvList>
}

export interface TaxPurchasesResource {
  /**
   * List the register of purchases.
   *
   * A mirror of what the SII holds for a period. The `sync` block says when it was last read: `last_synced_at` null means never, not empty. Newest in the mirror first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.list
   */
  list(input: PurchaseListQuery, options?: CallOptions): PageCall<RcvList>
  /**
   * Download the register of purchases as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.export
   */
  export(input: PurchaseExportQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * Characterize up to 500 purchases.
   *
   * Each entry has its own result: what stands in the way of one does not stop the others.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.characterize_many
   */
  characterizeMany(input: PurchaseCharacterizeMany, options?: CallOptions): Promise<RcvCharacterization>
  /**
   * Read a purchase of the register.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.get
   */
  get(entry_id: string, options?: CallOptions): Promise<RcvEntry>
  /**
   * Say what a purchase was for.
   *
   * The IVA moves as a whole to where the tipo puts it. It holds here at once and outlives every reading; the SII is told after: `pending_at_sii` says whether it knows.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.characterize
   */
  characterize(entry_id: string, input: PurchaseCharacterize, options?: CallOptions): Promise<RcvEntry>
  /**
   * Undo what was decided about a purchase.
   *
   * Back to what the SII showed before. A purchase that nobody decided about is answered as it is.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.revert
   */
  revert(entry_id: string, options?: CallOptions): Promise<RcvEntry>
  /**
   * Move a purchase within the register.
   *
   * To NO_INCLUIR it goes as tipo 7, and back as the tipo it had. From PENDIENTE to REGISTRO it goes once it is acknowledged, accepted or eight days old; what counts may be put off to PENDIENTE and brought back. What was claimed stays RECLAMADO.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/rcv#tax.purchases.estado_contable
   */
  estadoContable(entry_id: string, input: PurchaseEstadoContable, options?: CallOptions): Promise<RcvEntry>
}

export interface TaxMovementsResource {
  /**
   * List the movements of bank accounts and cards.
   *
   * From cartolas and bank connections, latest `post_date` first. What its bank took back is left out. Bounds are inclusive.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.list
   */
  list(input?: MovementListQuery, options?: CallOptions): PageCall<List<Movement>>
  /**
   * Read a movement and what it may be for.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.get
   */
  get(movement_id: string, options?: CallOptions): Promise<MovementWithCandidates>
  /**
   * Match a movement to the document it paid.
   *
   * A payment for several documents is matched to each of them, one call at a time; a document may be paid by several movements. Matching the same again changes nothing.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.match
   */
  match(movement_id: string, input?: MovementMatch, options?: CallOptions): Promise<MovementWithCandidates>
  /**
   * Take a movement and what it was matched to apart.
   *
   * It is remembered: they are not matched again unasked. One that is not matched is answered as it is.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.unmatch
   */
  unmatch(movement_id: string, options?: CallOptions): Promise<MovementWithCandidates>
  /**
   * Say that a movement tells the same as another one.
   *
   * For what a cartola and a bank connection of one account both tell, where we could not be certain (`duplicate`). This one is left out of lists and expenses; the other one stays. Saying it again changes nothing.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.merge
   */
  merge(movement_id: string, input: MovementMerge, options?: CallOptions): Promise<MovementWithCandidates>
  /**
   * Say that a movement is no duplicate.
   *
   * It counts again, and it is remembered: it is not taken for the other one unasked. One that is no duplicate is answered as it is.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/movements#tax.movements.unmerge
   */
  unmerge(movement_id: string, options?: CallOptions): Promise<MovementWithCandidates>
}

export interface TaxF29Resource {
  readonly proposals: TaxF29ProposalsResource
  readonly filings: TaxF29FilingsResource
}

export interface TaxF29FilingsResource {
  /**
   * List F29 filings.
   *
   * Newest first, those that failed too.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.filings.list
   */
  list(input?: F29FilingListQuery, options?: CallOptions): PageCall<List<F29Filing>>
  /**
   * File the F29 of a period.
   *
   * Asynchronous. The proposal is computed once more: where that changes a figure nobody has seen, nothing is filed. Its figures are frozen in the filing, and the period is closed to changes. In test mode the SII answers about a second later. In live mode a person of the operator files it: the SII has no public contract for programs. A filing that failed may be made again; one that was accepted is corrected by another that names it in `rectifies`.
   *
   * Scope: `documents:write`.
   *
   * Limit: 10 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.filings.create
   */
  create(input: F29FilingCreate, options?: CallOptions): Promise<F29Filing>
  /**
   * Read an F29 filing.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.filings.get
   */
  get(filing_id: string, options?: CallOptions): Promise<F29Filing>
  /**
   * Say what came of a filing that waited for the operator.
   *
   * For the operator alone, who filed it by hand.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#tax.f29.filings.outcome
   */
  outcome(empresa_id: string, filing_id: string, input: F29FilingOutcome, options?: CallOptions): Promise<F29Filing>
}

export interface TaxF29ProposalsResource {
  /**
   * List F29 proposals.
   *
   * Newest period first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.list
   */
  list(input?: F29ProposalListQuery, options?: CallOptions): PageCall<List<F29Proposal>>
  /**
   * Read the F29 proposal of a period.
   *
   * Code by code, with what each is made of, what the last compute changed, where the SII proposes otherwise, and what somebody should look at before filing.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.get
   */
  get(period: string, options?: CallOptions): Promise<F29Proposal>
  /**
   * List the entries behind a code.
   *
   * The very entries of the registers that the last compute added up, newest first. Totals have none.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.entries
   */
  entries(period: string, code: string, input?: F29ProposalEntriesQuery, options?: CallOptions): PageCall<List<RcvEntry>>
  /**
   * Download the entries behind a code as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.entries_export
   */
  entriesExport(period: string, code: string, input?: F29ProposalEntriesExportQuery, options?: CallOptions): Promise<FileAnswer>
  /**
   * Download the proposal as the upload file of the SII.
   *
   * A person loads it at "Declarar y pagar" of the SII, which works out the totals again.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.upload_file
   */
  uploadFile(period: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Compute the F29 proposal of a period now.
   *
   * With figures that the registers do not know, and overrides of codes that are not sums. What is left out stays as it was said before, null takes it back. A filed period takes none, unless `rectify` opens it for a rectificatoria; its filing keeps the figures it was filed with.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.recompute
   */
  recompute(period: string, input?: F29ProposalRecompute, options?: CallOptions): Promise<F29Proposal>
  readonly publicLinks: TaxF29ProposalsPublicLinksResource
}

export interface TaxF29ProposalsPublicLinksResource {
  /**
   * Create or rotate the public link of a proposal.
   *
   * An address where an accountant who has it reads and prints the proposal and the documents behind each code, without a credential. The living link stops working. The address is told this once.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.public_links.create
   */
  create(period: string, input?: F29ProposalPublicLinkCreate, options?: CallOptions): Promise<F29PublicLink>
  /**
   * Revoke the public link of a proposal.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/f29#tax.f29.proposals.public_links.delete
   */
  delete(period: string, options?: CallOptions): Promise<void>
}

export interface TaxExpensesResource {
  /**
   * List the expenses.
   *
   * What was written down by hand, and every outgoing movement of cartolas and bank connections. Newest day first.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/expenses#tax.expenses.list
   */
  list(input?: ExpenseListQuery, options?: CallOptions): PageCall<List<Expense>>
  /**
   * Write down an expense by hand.
   *
   * Repeating a call with the same Idempotency-Key writes it once; without one it is another expense.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/expenses#tax.expenses.create
   */
  create(input: ExpenseCreate, options?: CallOptions): Promise<Expense>
  /**
   * Read an expense.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/expenses#tax.expenses.get
   */
  get(expense_id: string, options?: CallOptions): Promise<Expense>
  /**
   * Correct an expense that was written down by hand.
   *
   * A field left out stays as it was; a category of null clears it, and a provider is sent whole. The expense of a movement follows its movement and is not corrected here.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/expenses#tax.expenses.update
   */
  update(expense_id: string, input?: ExpenseUpdate, options?: CallOptions): Promise<Expense>
  /**
   * Delete an expense that was written down by hand.
   *
   * The expense of a movement goes with its movement: undo the cartola, or merge the duplicate.
   *
   * Scope: `documents:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/expenses#tax.expenses.delete
   */
  delete(expense_id: string, options?: CallOptions): Promise<void>
}

export const tax: ResourceOf<TaxResource> = /* @__PURE__ */ resource<TaxResource>({
  sync: 'POST /tax/sync ekb',
  expenses: {
    list: 'GET /tax/expenses eql',
    create: 'POST /tax/expenses ekb',
    get: 'GET /tax/expenses/{expense_id} e',
    update: 'PATCH /tax/expenses/{expense_id} eb',
    delete: 'DELETE /tax/expenses/{expense_id} e',
  },
  f29: {
    proposals: {
      list: 'GET /tax/f29/proposals eql',
      get: 'GET /tax/f29/proposals/{period} e',
      entries: 'GET /tax/f29/proposals/{period}/codes/{code} eql',
      entriesExport: 'GET /tax/f29/proposals/{period}/codes/{code}/export eqf',
      uploadFile: 'GET /tax/f29/proposals/{period}/upload_file ef',
      recompute: 'POST /tax/f29/proposals/{period}/recompute ekb',
      publicLinks: {
        create: 'POST /tax/f29/proposals/{period}/public_links ekb',
        delete: 'DELETE /tax/f29/proposals/{period}/public_links e',
      },
    },
    filings: {
      list: 'GET /tax/f29/filings eql',
      create: 'POST /tax/f29/filings ekb',
      get: 'GET /tax/f29/filings/{filing_id} e',
      outcome: 'POST /empresas/{empresa_id}/f29/filings/{filing_id}/outcome bo',
    },
  },
  movements: {
    list: 'GET /tax/movements eql',
    get: 'GET /tax/movements/{movement_id} e',
    match: 'POST /tax/movements/{movement_id}/match ekb',
    unmatch: 'POST /tax/movements/{movement_id}/unmatch ek',
    merge: 'POST /tax/movements/{movement_id}/merge ekb',
    unmerge: 'POST /tax/movements/{movement_id}/unmerge ek',
  },
  purchases: {
    list: 'GET /tax/purchases eql',
    export: 'GET /tax/purchases/export eqf',
    characterizeMany: 'POST /tax/purchases/characterize ekb',
    get: 'GET /tax/purchases/{entry_id} e',
    characterize: 'POST /tax/purchases/{entry_id}/characterize ekb',
    revert: 'POST /tax/purchases/{entry_id}/characterize/revert ek',
    estadoContable: 'POST /tax/purchases/{entry_id}/estado_contable ekb',
  },
  sales: {
    export: 'GET /tax/sales/export eqf',
    list: 'GET /tax/sales eql',
  },
  summary: {
    get: 'GET /tax/summary eq',
  },
  statements: {
    list: 'GET /tax/statements eql',
    create: 'POST /tax/statements ekb',
    preview: 'POST /tax/statements/previews ekb',
    get: 'GET /tax/statements/{statement_id} e',
    delete: 'DELETE /tax/statements/{statement_id} e',
  },
  suggestions: {
    list: 'GET /tax/suggestions eql',
    get: 'GET /tax/suggestions/{suggestion_id} e',
    confirm: 'POST /tax/suggestions/{suggestion_id}/confirm ekb',
    dismiss: 'POST /tax/suggestions/{suggestion_id}/dismiss ekb',
  },
})
