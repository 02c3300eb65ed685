// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyListQuery, ApiKeyWithSecret } from '../types.ts'

export interface ApiKeysResource {
  /**
   * List API keys.
   *
   * Metadata only. A root key sees every key on the account, an ordinary key only itself.
   *
   * @see http://127.0.0.1:3000/docs/reference/api_keys#api_keys.list
   */
  list(input?: ApiKeyListQuery, options?: CallOptions): PageCall<List<ApiKey>>
  /**
   * Mint an API key.
   *
   * Needs a root key or an account session. The secret is in this answer and nowhere else, ever.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/api_keys#api_keys.create
   */
  create(input: ApiKeyCreate, options?: CallOptions): Promise<ApiKeyWithSecret>
  /**
   * Revoke an API key.
   *
   * Immediate and irreversible. A key cannot revoke itself, another root key, nor one that can do more than itself; a session revokes keys of its mode.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/api_keys#api_keys.revoke
   */
  revoke(key_id: string, options?: CallOptions): Promise<void>
  /**
   * Roll the secret of an API key.
   *
   * The previous secret keeps working for 24 hours, and one from before that ends: at most two work at a time. A root key rolls itself and keys that it could mint; a session rolls any key of its mode.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/api_keys#api_keys.roll
   */
  roll(key_id: string, options?: CallOptions): Promise<ApiKeyWithSecret>
}

export const apiKeys: ResourceOf<ApiKeysResource> = /* @__PURE__ */ resource<ApiKeysResource>({
  list: 'GET /api_keys ql',
  create: 'POST /api_keys kb',
  revoke: 'DELETE /api_keys/{key_id} ',
  roll: 'POST /api_keys/{key_id}/roll k',
})
