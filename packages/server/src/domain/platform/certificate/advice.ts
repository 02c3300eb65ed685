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
  empresa_not_authorised:
    'The SII does not have this empresa as authorised to issue electronic documents. Its representante legal finishes the ' +
    'authorisation at sii.cl (Factura electrónica, sistema de facturación propio o de mercado), or asks the SII why it was ' +
    'withdrawn. No other certificate mends it. What waits goes on by itself then.',
}
