// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { SfgCredential, SfgCredentialStore } from '../types.ts'

export interface SfgCredentialResource {
  /**
   * Read what is known of the SFG credential of an empresa.
   *
   * Metadata alone: the password cannot be read, by anybody.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/sfg_credential#sfg_credential.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<SfgCredential>
  /**
   * Store or replace the SFG credential of an empresa.
   *
   * The password of the certificate that a person keeps at the SII, which signs on the free portal. It is kept sealed and sent to the SII alone; whether it is right shows when it is first used. Storing the same again changes nothing, so no Idempotency-Key is taken. In test mode it is a rehearsal: nothing depends on it.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/sfg_credential#sfg_credential.store
   */
  store(empresa_id: string, input: SfgCredentialStore, options?: CallOptions): Promise<SfgCredential>
  /**
   * Destroy the SFG credential of an empresa.
   *
   * The password is deleted, not marked. A live empresa on the channel `sfg` emits no facturas until there is another (`capabilities.blocked_by: credential`).
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/sfg_credential#sfg_credential.delete
   */
  delete(empresa_id: string, options?: CallOptions): Promise<void>
}

export const sfgCredential: ResourceOf<SfgCredentialResource> = /* @__PURE__ */ resource<SfgCredentialResource>({
  get: 'GET /empresas/{empresa_id}/sfg_credential ',
  store: 'POST /empresas/{empresa_id}/sfg_credential b',
  delete: 'DELETE /empresas/{empresa_id}/sfg_credential ',
})
