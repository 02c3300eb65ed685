// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Certificate, CertificateUpload } from '../types.ts'

export interface CertificateResource {
  /**
   * Read what is known of the certificate of an empresa.
   *
   * Metadata alone: neither the key nor the password of a certificate can be read, by anybody.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certificate#certificate.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Certificate>
  /**
   * Upload or reuse the certificate that signs for an empresa.
   *
   * Send `file` and `password`, as JSON or as multipart/form-data, or `reuse` alone: the certificate of a person may serve several empresas of the account. It takes the place of the one that was there. The key is kept sealed and opened in memory to sign; the file and its password are not kept. It must be RSA of 2,048 to 4,096 bits, valid today, issued to sign, with the RUT of its holder. In test mode it is a rehearsal: everything works, and nothing depends on it.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certificate#certificate.upload
   */
  upload(empresa_id: string, input?: CertificateUpload, options?: CallOptions): Promise<Certificate>
  /**
   * Purge the certificate of an empresa from custody.
   *
   * The key is deleted, not marked, and a live empresa emits no more (`capabilities.blocked_by: certificate`) until there is another. Empresas that reuse the certificate keep theirs. In test mode it is a rehearsal: everything works, and nothing depends on it.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certificate#certificate.delete
   */
  delete(empresa_id: string, options?: CallOptions): Promise<void>
}

export const certificate: ResourceOf<CertificateResource> = /* @__PURE__ */ resource<CertificateResource>({
  get: 'GET /empresas/{empresa_id}/certificate ',
  upload: 'POST /empresas/{empresa_id}/certificate kb',
  delete: 'DELETE /empresas/{empresa_id}/certificate ',
})
