// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { Empresa, EmpresaCreate, EmpresaListQuery, EmpresaUpdate } from '../types.ts'

export interface EmpresasResource {
  /**
   * List empresas.
   *
   * Every empresa the key reaches, in its mode, newest first.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/empresas#empresas.list
   */
  list(input?: EmpresaListQuery, options?: CallOptions): PageCall<List<Empresa>>
  /**
   * Create an empresa.
   *
   * A sandbox empresa can emit at once. A live one starts its onboarding at the mandato. A RUT is one empresa per mode. A live one needs a confirmed e-mail. An account holds at most 5 live ones whose RUT nothing has proven yet, and one that nothing proves within 14 days is archived. Where another account has a live RUT, `details.takeover_url` of the refusal is a page on which its taxpayer takes it over. Declaring a resolución skips nothing until the operator verifies it with the SII.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/empresas#empresas.create
   */
  create(input: EmpresaCreate, options?: CallOptions): Promise<Empresa>
  /**
   * Read an empresa.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/empresas#empresas.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Empresa>
  /**
   * Update or archive an empresa.
   *
   * A field that is not sent stays as it was; null clears one that may be empty. Adding a tipo reopens certification for it. `status: archived` cannot be undone; the RUT of a live one of which the SII took nothing is held for the account for 30 days. A session changes only `doc_types` and `certification_track`.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/empresas#empresas.update
   */
  update(empresa_id: string, input?: EmpresaUpdate, options?: CallOptions): Promise<Empresa>
  /**
   * Delete a sandbox empresa.
   *
   * Everything under it goes with it; its events stay in the ledger. Live empresas are archived instead.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/empresas#empresas.delete
   */
  delete(empresa_id: string, options?: CallOptions): Promise<void>
}

export const empresas: ResourceOf<EmpresasResource> = /* @__PURE__ */ resource<EmpresasResource>({
  list: 'GET /empresas ql',
  create: 'POST /empresas kb',
  get: 'GET /empresas/{empresa_id} ',
  update: 'PATCH /empresas/{empresa_id} b',
  delete: 'DELETE /empresas/{empresa_id} ',
})
