import type { OwnTool } from '../own-tool.ts'
import { matchPayment, reconcilePayments } from './bank.ts'
import { findDocuments, getDocument, refusedDocuments, sendDocument } from './documents.ts'
import { foliosLeft, myEmpresas, needsAttention } from './empresa.ts'
import { annulOrCorrect, issueDocument } from './issue.ts'
import { recordPayment, whomIOwe, whoOwesMe } from './money.ts'
import { findReceptor, saveReceptor } from './receptors.ts'
import { answerSupplier, documentsToAnswer, findReceivedDocuments } from './suppliers.ts'
import { fileF29, taxMonth } from './tax.ts'

/** The tasks of a business, in the order of a day: what an agent is shown when it asks for nothing else. */
export const TASKS: readonly OwnTool[] = [
  needsAttention,
  myEmpresas,
  findReceptor,
  saveReceptor,
  issueDocument,
  annulOrCorrect,
  getDocument,
  findDocuments,
  refusedDocuments,
  sendDocument,
  whoOwesMe,
  whomIOwe,
  recordPayment,
  documentsToAnswer,
  answerSupplier,
  findReceivedDocuments,
  taxMonth,
  fileF29,
  reconcilePayments,
  matchPayment,
  foliosLeft,
]
