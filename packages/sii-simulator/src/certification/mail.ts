import { queueMail } from '../mail/outbox.ts'
import type { Simulator } from '../simulator.ts'
import { taxpayerOf } from '../taxpayers.ts'
import type { Review } from './register.ts'

/** How a review ended, to the mailbox that the SII writes to. Its words are ours. */
export function queueReviewMail(ctx: Simulator, rut: string, label: string, review: Review): void {
  const outcome = review.code === 'SOK' ? 'REVISADO CONFORME (SOK)' : 'RECHAZADO (SRH)'
  queueMail(ctx, {
    to: taxpayerOf(ctx, rut)?.sii_mailbox ?? null,
    subject: `Resultado de la revision: ${label} ${rut}`,
    text: [`${label} de ${rut}: ${outcome}`, ...review.refusals].join('\n'),
    attachment: null,
  })
}
