import { Type } from 'typebox'
import { ERROR_CODES, errorEntry, isRetriable } from '../../../catalog/errors.ts'
import { Closed, listOf, Named } from '../../../kernel/schema.ts'
import type { PublicContext } from '../../context.ts'
import { defineOperation } from '../../operation.ts'

const ErrorCode = Named(
  'ErrorCode',
  Closed({
    object: Type.Literal('error_code'),
    code: Type.String(),
    type: Type.String(),
    status: Type.Integer(),
    message: Type.String(),
    hint: Type.String(),
    retriable: Type.Boolean(),
    doc_url: Type.String(),
  }),
)

/** The dictionary in one page: it is a table of this version, not a growing list. */
async function listErrorCodes(ctx: PublicContext) {
  const data = ERROR_CODES.map((code) => {
    const { type, status, message, hint } = errorEntry(code)
    const doc_url = `${ctx.addresses.docs_url}/errors/${code}`
    return { object: 'error_code' as const, code, type, status, message, hint, retriable: isRetriable(code), doc_url }
  })
  return { object: 'list' as const, data, has_more: false, next_cursor: null }
}

export const referenceOperations = [
  defineOperation({
    id: 'error_codes.list',
    method: 'GET',
    path: '/error_codes',
    summary: 'Read the dictionary of error codes',
    description: 'Every code a program can branch on, with its hint and whether a retry can help. Needs no credential.',
    reach: 'public',
    returns: listOf(ErrorCode),
    run: listErrorCodes,
  }),
]
