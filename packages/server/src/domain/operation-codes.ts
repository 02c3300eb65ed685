import type { AccountErrorCode } from '../catalog/account-errors.ts'
import type { ErrorCode } from '../catalog/errors.ts'
import { namesEmpresa, type Operation } from './operation.ts'

const ANY = ['invalid_field', 'internal_error', 'service_unavailable'] as const
const BODY = ['invalid_json', 'payload_too_large', 'request_timeout', 'unsupported_media_type'] as const

const with_rut = new WeakMap<Operation, boolean>()

/** Looked for once: a page of the documentation asks it of every operation. */
function takesRut(operation: Operation): boolean {
  const known = with_rut.get(operation)
  if (known !== undefined) return known
  const parts = [operation.params, operation.query, operation.body]
  const takes = parts.some((part) => part !== undefined && /"format":"rut(_or_all)?"/.test(JSON.stringify(part)))
  with_rut.set(operation, takes)
  return takes
}

function reachCodes(operation: Operation): readonly ErrorCode[] {
  const { reach, scope, allows_inactive, test_only, root_only, lasting } = operation
  if (reach === 'operator') return ['operator_authentication_required', 'empresa_not_found']
  if (reach === 'operator_account') return ['operator_authentication_required', 'account_not_found']
  if (reach === 'installation') return ['operator_authentication_required']
  if (reach === 'public') return []
  if (reach === 'session') return ['invalid_session']
  return [
    'invalid_api_key',
    'invalid_session',
    'rate_limited',
    ...(scope ? (['insufficient_scope'] as const) : []),
    ...(lasting ? (['privilege_escalation'] as const) : []),
    ...(root_only ? (['root_key_required'] as const) : []),
    ...(test_only || reach === 'empresa' ? (['mode_not_allowed'] as const) : []),
    ...(reach === 'account' ? (['empresa_header_forbidden'] as const) : []),
    ...(reach === 'empresa' ? (['empresa_header_required', 'empresa_not_found', 'empresa_not_allowed'] as const) : []),
    ...(reach === 'empresa' && !namesEmpresa(operation) ? (['invalid_rut'] as const) : []),
    ...(reach === 'empresa' && !allows_inactive ? (['empresa_inactive'] as const) : []),
  ]
}

function idempotencyCodes({ idempotent }: Operation): readonly ErrorCode[] {
  if (idempotent === false) return []
  const always: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']
  return idempotent === 'required' ? ['idempotency_key_required', ...always] : always
}

/** What an operation refuses by itself, beside what the ladder refuses of any call. */
export function ownCodesOf({ errors, paywalled }: Operation): ErrorCode[] {
  return [...new Set<ErrorCode>([...(paywalled ? (['subscription_required'] as const) : []), ...errors])].sort()
}

/** Every code a call of this operation can answer: what it declares, and what the ladder itself raises. */
export function codesOf(operation: Operation): ErrorCode[] {
  const all = [
    ...ANY,
    ...(operation.method === 'GET' ? [] : BODY),
    ...(takesRut(operation) ? (['invalid_rut'] as const) : []),
    ...reachCodes(operation),
    ...idempotencyCodes(operation),
    ...ownCodesOf(operation),
  ]
  return [...new Set<ErrorCode>(all)].sort()
}

/** The same for an operation of /account. */
export function accountCodesOf(operation: Operation): AccountErrorCode[] {
  const { reach, limit, method, account_errors } = operation
  const all: readonly AccountErrorCode[] = [
    ...ANY,
    ...(method === 'GET' ? [] : BODY),
    ...(reach === 'session' ? (['invalid_session'] as const) : []),
    ...(reach === 'session' || limit ? (['auth_throttled'] as const) : []),
    ...account_errors,
  ]
  return [...new Set(all)].sort()
}
