import { isTipoDte, TIPOS } from '@timbre/dte/values'
import { secondsFrom } from '../../../kernel/clock.ts'
import { type SenderRefusalReason, SII_ROADS, type SiiRoad } from '../../../ports/sii.ts'

/** Why the SII does not let the holder of the certificate send by a road. */
export interface CertificateRefusal {
  readonly reason: SenderRefusalReason
  readonly sentence: string | null
  /** Instants, ISO 8601. When it was first refused, and when a document is let through to ask again. */
  readonly at: string
  readonly retry_at: string
  /** In a row. */
  readonly refusals: number
}

export type CertificateRefusals = Readonly<Partial<Record<SiiRoad, CertificateRefusal>>>

/** Seconds to the next try of one document; the last one repeats. Short at first: a bad hour of the SII looks the same. */
const RETRY_SECONDS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400]
/** How long whoever tries one has for it. */
const TRYING_SECONDS = 300

export function roadOf(tipo_dte: number): SiiRoad {
  return isTipoDte(tipo_dte) && TIPOS[tipo_dte].family === 'boleta' ? 'boleta' : 'dte'
}

export function refusalsIn(refused: CertificateRefusals): readonly (CertificateRefusal & { readonly road: SiiRoad })[] {
  return SII_ROADS.flatMap((road) => {
    const refusal = refused[road]
    return refusal ? [{ road, ...refusal }] : []
  })
}

/** Whether the SII refuses the person of the certificate; it may have something against the empresa alone. */
export function isPersonRefused(refused: CertificateRefusals): boolean {
  return refusalsIn(refused).some(({ reason }) => reason !== 'empresa_not_authorised')
}

/** The refusal after one more. */
export function refusedAgain(
  before: CertificateRefusal | undefined,
  { reason, sentence }: Pick<CertificateRefusal, 'reason' | 'sentence'>,
  now: Date,
): CertificateRefusal {
  const refusals = (before?.refusals ?? 0) + 1
  const seconds = RETRY_SECONDS[Math.min(refusals, RETRY_SECONDS.length) - 1] ?? 0
  const retry_at = secondsFrom(now, seconds).toISOString()
  return { reason, sentence, at: before?.at ?? now.toISOString(), retry_at, refusals }
}

/** Whether a document may be let through now. */
export function isDue({ retry_at }: CertificateRefusal, now: Date): boolean {
  return new Date(retry_at) <= now
}

/** The same while a document is on its way: nobody else lets one through meanwhile. */
export function beingTried(refusal: CertificateRefusal, now: Date): CertificateRefusal {
  return { ...refusal, retry_at: secondsFrom(now, TRYING_SECONDS).toISOString() }
}
