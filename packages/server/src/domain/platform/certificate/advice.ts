import type { SenderRefusalReason } from '../../../ports/sii.ts'

/** Who has to do what, where the SII does not let the holder of a certificate send. */
export const ADVICE: Readonly<Record<SenderRefusalReason, string>> = {
  no_permission:
    'The holder of the certificate has no permission at the SII to send documents of this empresa. Its representante legal adds ' +
    'them at sii.cl as usuario autorizado for electronic invoicing, or the certificate of somebody who has the permission is ' +
    'uploaded. What waits goes on by itself then.',
  certificate_not_taken:
    'The SII gives no session for the certificate: it may be revoked, or of a CA that the SII does not know. Its holder uploads ' +
    'another one. What waits goes on by itself then.',
}
