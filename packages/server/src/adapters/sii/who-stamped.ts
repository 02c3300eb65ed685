import { type FolioQuestion, type FolioRange, type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import type { FolioRefusal } from '../../ports/sii.ts'

const wordsOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)

/**
 * Whether the page that lists stamped folios means this person. It names them, and how is unverified: names in another
 * order, shortened, without accents or as a RUT are taken for the same.
 */
export function isSamePerson(named: string, { rut, signer }: Pick<Identity, 'rut' | 'signer'>): boolean {
  const [number = ''] = rut.split('-')
  if (named.replace(/\D/g, '').includes(number)) return true
  const [there, here] = [wordsOf(named), wordsOf(signer.holder)]
  const [few, many] = there.length < here.length ? [there, here] : [here, there]
  return few.length > 0 && few.every((word) => many.includes(word))
}

/**
 * The SII offers folios for annulment only to whoever stamped them (PROTOCOLS 10), and says no more than that there is
 * nothing to annul. The history of stamped folios tells who that was.
 */
export async function tellWhoStamped(
  client: Pick<SiiClient, 'folios'>,
  question: FolioQuestion & { readonly user: { readonly kind: 'certificate'; readonly identity: Identity } },
  { from, to }: FolioRange,
  refusal: FolioRefusal,
): Promise<FolioRefusal> {
  if (refusal.reason !== 'range_not_offered') return refusal
  const stamped = await client.folios.history(question).catch((error: unknown) => {
    // The refusal stands; only its explanation is missing.
    if (error instanceof SiiFailure) return []
    throw error
  })
  const range = stamped.find((one) => one.from <= from && to <= one.to)
  if (!range?.person || isSamePerson(range.person, question.user.identity)) return refusal
  const advice =
    `${range.person} stamped these folios on ${range.date}, and only whoever stamped folios may annul them: that person ` +
    'does it at sii.cl, or their certificate is put into custody for the act.'
  return { ...refusal, reason: 'stamped_by_another', advice }
}
