import { TIPO_NUMBERS, TIPOS } from '@timbre/dte/values'
import { errorEntry } from '../catalog/errors.ts'
import { EVIDENCE_ACTS } from '../catalog/evidence.ts'

/** The values of a field, each with what it means. */
type Values = Readonly<Record<string, string>>

const messageOf = (code: 'sii_unreachable' | 'sii_propagation' | 'requirement_unmet') => errorEntry(code).message

const PAPERS: Values = { letter: 'a page', ticket_80: 'a roll of 80 mm', ticket_58: 'a roll of 58 mm' }
const LANES: Values = { mercado: 'with folios of its own (CAF)', sfg: "by the SII's free portal" }

/**
 * What each value of a choice means where its description does not tell them all: a model chooses by what is said of each.
 * By the name of the field; `documents.list:status` is that of one operation, and `items.billing` the one inside `items`.
 */
const VALUES: Readonly<Record<string, Values>> = {
  format: PAPERS,
  print_format: PAPERS,
  doc_types: Object.fromEntries(TIPO_NUMBERS.map((tipo) => [tipo, TIPOS[tipo].name])),
  holder_type: { individual: 'of a person', business: 'of a company' },
  billing: {
    non_billable: 'not billed, told only',
    container_deposit: 'deposit for containers',
    not_a_sale: 'no sale',
    to_deduct: 'taken off, of a guía',
    non_billable_negative: 'not billed, below zero',
  },
  certification_track: LANES,
  'test_helpers.onboarding.rehearse:lane': LANES,
  origen: {
    gratuito: "by the SII's free portal",
    mercado: 'by software of the market',
    ninguno: 'it does not emit yet',
  },
  method: {
    cash: 'efectivo',
    cheque: 'cheque',
    card: 'tarjeta',
    transfer: 'transferencia',
    offset: 'set off against another debt',
    other: 'otherwise',
  },
  withdrawn: { hidden: 'without them', included: 'with them', only: 'them alone' },
  act: EVIDENCE_ACTS,
  'empresas.update:status': { active: 'it works', archived: 'ended for good' },
  'test_helpers.documents.estado:status': {
    accepted: 'the SII takes it',
    reparo: 'it takes it with remarks',
    rejected: 'it refuses it',
    failed: 'it never reached the SII',
  },
  'test_helpers.onboarding.rehearse:status': {
    mandato_pending: 'the mandato is not signed',
    certificate_pending: 'the certificate lacks',
    credential_pending: 'the password of the free portal lacks',
    certifying: 'the SII tests it',
    waiting_sii: 'the SII is waited for',
    action_required: 'a person must act',
    go_live_pending: 'the titular must let it go live',
    emitting: 'it emits',
    suspended: 'it stands still',
    blocked: 'something holds it up',
  },
  'test_helpers.onboarding.move_step:status': {
    in_progress: 'it is being done',
    action_required: 'a person must act',
    completed: 'done',
    failed: 'it failed',
    skipped: 'not needed',
  },
  blocked_reason: {
    sii_unreachable: messageOf('sii_unreachable'),
    sii_propagation: messageOf('sii_propagation'),
    requirement_unmet: messageOf('requirement_unmet'),
    resolucion_claim: 'Its resolución is contested.',
    approval_declined: 'A person declined it.',
    operator_refused: EVIDENCE_ACTS.operator_refused,
    sii_review: 'The SII looks at it.',
    sii_refused: 'The SII refused it.',
    preflight_failed: 'Our own check found faults.',
  },
  'received_documents.quarantine.list:reason': {
    not_xml: 'no XML',
    bad_schema: 'not as the SII has it',
    bad_signature: 'its signature does not fit',
    certificate_not_valid: 'signed with a certificate that was not valid',
    timbre_mismatch: 'its timbre is of another document',
    totals_mismatch: 'its totals are of another document',
    other_receptor: 'for somebody else',
    repeated_other_content: 'the same folio with other content',
    too_large: 'too large',
    bomb: 'made to fill a disk',
    no_document: 'no document inside',
    exchange_answer: 'an answer that moves no document of ours',
  },
  kind: {
    document_issued: 'a document was issued',
    document_emailed: 'one was e-mailed',
    document_ceded: 'one was ceded',
    document_received: 'one was received',
    folios_requested: 'folios were asked for',
  },
}

/** What the values of a field mean, by its name and the name of what holds it. */
export type ValueWords = (name: string, holder: string | null) => Values | undefined

export function valuesFor(operation_id: string): ValueWords {
  return (name, holder) => VALUES[`${operation_id}:${name}`] ?? VALUES[`${holder}.${name}`] ?? VALUES[name]
}

/** Whether a text names a value by itself, not as a part of another word. */
export function names(text: string, value: string | number): boolean {
  return text.split(/[^\w.*-]+/).some((word) => word.replace(/\.$/, '') === String(value))
}

/** `cash` efectivo; `card` tarjeta: the values of a choice in one sentence; undefined where the text names each already. */
export function valuesSentence(
  choice: readonly (string | number)[],
  text: string,
  meanings: Values | undefined,
): string | undefined {
  if (!meanings || choice.every((value) => names(text, value))) return undefined
  const told = choice.flatMap((value) => {
    const meaning = meanings[String(value)]
    return meaning === undefined ? [] : [`\`${value}\` ${meaning.replace(/\.$/, '')}`]
  })
  return told.length === 0 ? undefined : `${told.join('; ')}.`
}
