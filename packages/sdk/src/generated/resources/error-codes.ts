// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { ErrorCode } from '../types.ts'

export interface ErrorCodesResource {
  /**
   * Read the dictionary of error codes.
   *
   * Every code a program can branch on, with its hint and whether a retry can help. Needs no credential.
   *
   * @see http://127.0.0.1:3000/docs/reference/error_codes#error_codes.list
   */
  list(options?: CallOptions): PageCall<List<ErrorCode>>
}

export const errorCodes: ResourceOf<ErrorCodesResource> = /* @__PURE__ */ resource<ErrorCodesResource>({
  list: 'GET /error_codes lp',
})
