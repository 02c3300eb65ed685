// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Mandato, MandatoRecord, MandatoRevocationLink, OnboardingLink } from '../types.ts'

export interface MandatoResource {
  /**
   * Mint the page where a mandato is revoked.
   *
   * For the representante who wants to take back what they signed. It works once and until `expires_at`; the last one stops working. The address is told this once.
   *
   * Scope: `mandato:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/mandato#mandato.revocation_link
   */
  revocationLink(empresa_id: string, input?: MandatoRevocationLink, options?: CallOptions): Promise<OnboardingLink>
  /**
   * Read the mandato of an empresa.
   *
   * Who authorised the service to act for the empresa at the SII, and whether it still stands.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/mandato#mandato.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Mandato>
  /**
   * Record a mandato that was signed elsewhere, or sign a revoked one again.
   *
   * Say which text was signed and by whom, both, once they signed it before you: it proves nothing about the RUT, and its evidence says `via: api`. After a revocation an empty body signs the same text again by the same person, and the empresa goes on where it stood, unless the text changed since: then somebody has to read the new one. Recording the same again changes nothing. In test mode it is a rehearsal: everything works, and nothing depends on it.
   *
   * Scope: `mandato:attest`.
   *
   * @see http://127.0.0.1:3000/docs/reference/mandato#mandato.record
   */
  record(empresa_id: string, input?: MandatoRecord, options?: CallOptions): Promise<Mandato>
  /**
   * Revoke the mandato of an empresa.
   *
   * At once nothing more is done for the empresa at the SII: a live one is suspended, its calls answer `403 empresa_inactive`, and what is queued and was not sent fails. What stands in custody stays there unused, until it is deleted or the mandato is signed again. Revoking twice changes nothing. In test mode it is a rehearsal: everything works, and nothing depends on it.
   *
   * Scope: `mandato:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/mandato#mandato.revoke
   */
  revoke(empresa_id: string, options?: CallOptions): Promise<void>
}

export const mandato: ResourceOf<MandatoResource> = /* @__PURE__ */ resource<MandatoResource>({
  revocationLink: 'POST /empresas/{empresa_id}/mandato/revocation_link kb',
  get: 'GET /empresas/{empresa_id}/mandato ',
  record: 'POST /empresas/{empresa_id}/mandato kb',
  revoke: 'DELETE /empresas/{empresa_id}/mandato ',
})
