import type { ReceptorAnswer, ReceptorResponse } from './schema.ts'

// The answers that a receptor gives to one document, and where they leave it. The register of the SII has the force of
// law (Ley 19.983, art. 3, as changed by Ley 20.956); a signed file by mail is the custom, and goes as far as its signer
// is known.

/** How much an answer weighs: the register of the SII, a signer for whom a CA vouches, a signer for whom none does. */
function weightOf({ source, signature }: ReceptorAnswer): number {
  if (source === 'sii') return 3
  return signature === 'verified' ? 2 : 1
}

const BASES = [null, 'unproven', 'verified', 'sii'] as const

type Side = 'for' | 'against'
/** A claim excludes acceptance and acknowledgement, each the other way round (codes 6, 11, 12 and 13 of the register). */
const SIDES: Readonly<Record<ReceptorAnswer['action'], Side | null>> = {
  delivered: null,
  not_delivered: null,
  accepted: 'for',
  accepted_tacitly: 'for',
  receipt_acknowledged: 'for',
  claimed: 'against',
}

function weightOn(side: Side, answers: readonly ReceptorAnswer[]): number {
  return Math.max(0, ...answers.filter(({ action }) => SIDES[action] === side).map(weightOf))
}

const isSame = (one: ReceptorAnswer, other: ReceptorAnswer) =>
  one.source === other.source && one.action === other.action && one.code === other.code

/**
 * Why an answer adds nothing: the same was given before, as well proven; or the opposite was, and nothing weightier
 * takes it back. Null when it counts.
 */
export function objectionTo(
  answer: ReceptorAnswer,
  answers: readonly ReceptorAnswer[],
): 'repeated' | 'contradicted' | null {
  if (answers.some((other) => isSame(answer, other) && weightOf(other) >= weightOf(answer))) return 'repeated'
  const side = SIDES[answer.action]
  if (side === null) return null
  return weightOn(side === 'for' ? 'against' : 'for', answers) >= weightOf(answer) ? 'contradicted' : null
}

/** Where the answers leave the document. Two sides never weigh the same: the second of them was contradicted. */
export function standingOf(answers: readonly ReceptorAnswer[]): ReceptorResponse {
  const [pro, contra] = [weightOn('for', answers), weightOn('against', answers)]
  const side: Side = contra > pro ? 'against' : 'for'
  const firstOf = (...actions: readonly ReceptorAnswer['action'][]) =>
    answers.find(({ action }) => actions.includes(action) && (SIDES[action] ?? side) === side)
  const decided = firstOf('accepted', 'claimed') ?? firstOf('accepted_tacitly')
  const decisive = answers.filter(({ action }) => action === decided?.action)
  return {
    status: (decided?.action as ReceptorResponse['status']) ?? null,
    basis: BASES[Math.max(0, ...decisive.map(weightOf))] ?? null,
    answered_at: decided?.at ?? null,
    receipt_acknowledged_at: firstOf('receipt_acknowledged')?.at ?? null,
    delivered_at: firstOf('delivered')?.at ?? null,
    answers: [...answers],
  }
}

/** Whether the register of the SII holds a claim: then the credit cannot be ceded (Ley 19.983, art. 3 and 4). */
export function isClaimedAtSii(answers: readonly ReceptorAnswer[] | null): boolean {
  return (answers ?? []).some(({ source, action }) => source === 'sii' && action === 'claimed')
}
