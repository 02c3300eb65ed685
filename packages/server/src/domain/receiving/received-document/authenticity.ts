import { createHash } from 'node:crypto'
import { DAY_MS, isUnissuedTipo } from '@timbre/dte/values'
import { type AuthenticityReason, doubtOf } from '../../../catalog/authenticity.ts'
import type { QuarantineReason } from '../../../catalog/reception.ts'
import type { Evidence, Heading, InspectedDocument } from '../../../ports/inspection.ts'
import { instantOf } from './deadline.ts'
import type { Authenticity } from './schema.ts'

/** Pesos by which sums of rounded lines may differ. */
const ROUNDINGS = 60

/** A document with the verdict on who made it. One that contradicts itself has a fault, and nobody issued it. */
export interface JudgedDocument extends InspectedDocument {
  readonly authenticity: Authenticity
}

const UNCHECKED: Authenticity = { status: 'unproven', reasons: ['not_checked'] }

/**
 * Judges by what its inspection found. Signature and timbre were true before this: but a timbre is printed for
 * everybody to copy, and anybody can make a certificate. What contradicts is set aside; what cannot be proven is taken
 * and marked, since the SII may know what the document does not tell.
 */
export function judge(document: InspectedDocument, received_at: Date): JudgedDocument {
  const { evidence, fault } = document
  if (!evidence) return { ...document, authenticity: UNCHECKED }
  const facts = factsOf(document, evidence, received_at)
  const contradiction = contradictionOf(facts)
  const reasons = reasonsOf(facts)
  const authenticity: Authenticity = { status: reasons.length === 0 ? 'verified' : 'unproven', reasons }
  if (!contradiction) return { ...document, authenticity }
  return { ...document, authenticity, authentic: false, fault: fault ?? contradiction }
}

/** What a person may take upon itself, and how the document is marked then. */
const RELEASABLE: Partial<Readonly<Record<QuarantineReason, AuthenticityReason | null>>> = {
  bad_signature: 'signature_false',
  certificate_not_valid: 'certificate_not_valid',
  timbre_mismatch: 'timbre_of_another',
  // The reasons of the verdict tell of it already.
  totals_mismatch: null,
}

/**
 * The same for a file that a person releases from quarantine. What was wrong with a document becomes a reason not to
 * believe it; one of another company, or that no schema allows, stays where it is.
 */
export function judgeReleased(
  document: InspectedDocument,
  { received_at }: { readonly received_at: Date },
  { rut }: { readonly rut: string },
): JudgedDocument {
  const judged = judge(document, received_at)
  const { fault, evidence, authenticity, heading } = judged
  const mark = fault ? RELEASABLE[fault.reason] : undefined
  // Its signature is looked at first: where that is false, nobody asked yet for whom it is.
  if (mark === undefined || heading?.receptor_rut !== rut) return judged
  const known = evidence ? authenticity.reasons : []
  const texts_apart = mark === 'timbre_of_another' && known.includes('timbre_text_mismatch')
  const marks = mark === null || texts_apart ? [] : [mark]
  const reasons = [...new Set<AuthenticityReason>([...known, ...marks, 'released_from_quarantine'])]
  // What a false signature says it covers is not what it stands beside.
  const digest = mark === 'signature_false' ? sha1Of(document.xml) : document.digest
  return { ...judged, digest, fault: null, authenticity: { status: 'unproven', reasons } }
}

const sha1Of = (bytes: Buffer) => createHash('sha1').update(bytes).digest('base64')

interface Facts extends Evidence {
  readonly emisor_rut: string | null
  readonly signed: Date | null
  readonly stamped: Date | null
  readonly received: Date
  /** Where only the heading of its kind is read: whether that is within what a true timbre's total allows. */
  readonly plausible: boolean
  /** An accredited CA vouches for the signer, at the time of signing. */
  readonly proven: boolean
}

function factsOf(document: InspectedDocument, evidence: Evidence, received: Date): Facts {
  const { heading, signed_at } = document
  const signed = signed_at === null ? null : instantOf(signed_at)
  const stamped = evidence.stamped_at === null ? null : instantOf(evidence.stamped_at)
  const { issuer } = evidence
  const proven =
    issuer.issuer === 'proven' &&
    signed !== null &&
    issuer.windows.some(({ from, until }) => from <= signed && signed <= until)
  const only_plausible = document.dte === null || isUnissuedTipo(document.dte.tipo_dte)
  const plausible = only_plausible && heading !== null && isPlausible(heading)
  return { ...evidence, emisor_rut: heading?.emisor_rut ?? null, signed, stamped, received, proven, plausible }
}

/**
 * A liquidación or an export, whose totals no line gives here: its IVA is at most the rate on its net, and its commission takes at most
 * half. The total is what its timbre says too, so nothing else can be made larger than that.
 */
function isPlausible({ net, exempt, iva, total }: Heading): boolean {
  if (Math.min(net, exempt, iva, total) < 0) return false
  return iva * 100 <= net * 19 + 100 * ROUNDINGS && net + exempt + iva <= total * 2 + ROUNDINGS
}

/**
 * A certificate that was not valid when it signed proves the contrary, and so does one that expired before the timbre,
 * whose time the emisor's own CAF signed. Where a CA vouches for the signer, texts and amounts that differ are its own
 * carelessness, which the SII takes with a reparo; where none does, they are the marks of a forgery. So are amounts that
 * nobody can hold against their lines: else one unreadable quantity would hide all the others.
 */
function contradictionOf(facts: Facts): { reason: QuarantineReason; message: string } | null {
  const { signer, signed, stamped, proven, texts_apart, agreement, plausible } = facts
  if (signer) {
    const [from, until] = [new Date(signer.valid_from), new Date(signer.valid_until)]
    if ((signed && (signed < from || signed > until)) || (stamped && stamped > until)) {
      const message = `Its certificate was valid from ${signer.valid_from} until ${signer.valid_until}, not when it signed.`
      return { reason: 'certificate_not_valid', message }
    }
  }
  if (proven) return null
  if (texts_apart.length > 0) {
    const parts = texts_apart.map((text) => (text === 'IT1' ? 'first item' : 'receptor'))
    return { reason: 'timbre_mismatch', message: `The timbre names another ${parts.join(' and another ')}.` }
  }
  if (agreement && agreement.totals.length > 0) {
    const message = `What its lines give is another ${agreement.totals.join(', ')}.`
    return { reason: 'totals_mismatch', message }
  }
  if (agreement === null && !plausible) {
    return { reason: 'totals_mismatch', message: 'Its amounts cannot be held against its lines.' }
  }
  return null
}

const ISSUER_REASONS = {
  self_signed: 'certificate_self_signed',
  unknown: 'issuer_unknown',
  unproven: 'issuer_unproven',
  proven: 'issuer_unproven',
} as const satisfies Record<Evidence['issuer']['issuer'], AuthenticityReason>

/** The clocks of two computers may be a day apart, time zones forgotten. */
const SLACK_MS = DAY_MS

function reasonsOf(facts: Facts): AuthenticityReason[] {
  const { signer, signed, stamped, received, proven, issuer, texts_apart, agreement, emisor_rut } = facts
  const untimely =
    !signed ||
    signed.getTime() > received.getTime() + SLACK_MS ||
    (stamped !== null && signed.getTime() < stamped.getTime() - SLACK_MS)
  const rut = signer?.rut ?? null
  const found: readonly (readonly [boolean, AuthenticityReason])[] = [
    [!proven && (signed !== null || issuer.issuer !== 'proven'), ISSUER_REASONS[issuer.issuer]],
    [untimely, 'signing_time_unproven'],
    [signer !== null && received > new Date(signer.valid_until), 'certificate_expired_since'],
    [rut === null, 'signer_unnamed'],
    [rut !== null && rut !== emisor_rut, 'signer_not_emisor'],
    [texts_apart.length > 0, 'timbre_text_mismatch'],
    [(agreement?.totals.length ?? 0) > 0, 'totals_mismatch'],
    [(agreement?.lines.length ?? 0) > 0, 'line_amount_mismatch'],
    [agreement === null, 'totals_unchecked'],
  ]
  return found.flatMap(([applies, reason]) => (applies ? [reason] : []))
}

/** Whether a document is proven better than another, and so takes its place. */
export function isBetterProven(one: Authenticity, other: Authenticity): boolean {
  return doubtOf(one.reasons) < doubtOf(other.reasons)
}

/** Whether neither is: then the first that came stays, and says that another came. */
export function isNoBetter(one: Authenticity, other: Authenticity): boolean {
  return doubtOf(one.reasons) === doubtOf(other.reasons) && doubtOf(one.reasons) > 0
}
