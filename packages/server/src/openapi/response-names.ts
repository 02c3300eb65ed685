import { pascal } from './names.ts'

const INVALID = [
  'invalid_field',
  'invalid_json',
  'invalid_rut',
  'invalid_cursor',
  'empresa_header_required',
  'empresa_header_forbidden',
  'idempotency_key_required',
]
const FORBIDDEN = [
  'empresa_inactive',
  'empresa_not_allowed',
  'insufficient_scope',
  'mode_not_allowed',
  'privilege_escalation',
  'root_key_required',
]

/** Those that come together on every operation of a kind. */
const TOGETHER: Readonly<Record<string, string>> = {
  'invalid_api_key,invalid_session': 'Unauthorized',
  'idempotency_in_progress,idempotency_key_reused': 'IdempotencyConflict',
}

/**
 * The name of a refusal that many operations share, by what it says: its one or two codes, or the steps of the ladder that it
 * comes from. Null of one that is an operation's own, which is written where it stands.
 */
export function refusalName(codes: readonly string[]): string | null {
  const together = TOGETHER[codes.join()]
  if (together) return together
  if (codes.length <= 2) return codes.map(pascal).join('Or')
  const has = (code: string) => codes.includes(code)
  if (codes.every((code) => INVALID.includes(code))) {
    const selects = has('empresa_header_required') && has('invalid_rut')
    const subject = has('empresa_header_forbidden')
      ? 'Account'
      : selects
        ? 'Empresa'
        : has('empresa_header_required')
          ? 'EmpresaPath'
          : ''
    const act = has('invalid_cursor') ? 'List' : has('invalid_json') ? 'Write' : 'Read'
    const rut = has('invalid_rut') && !selects ? 'WithRut' : ''
    return `Invalid${subject}${act}${rut}${has('idempotency_key_required') ? 'WithKey' : ''}`
  }
  if (codes.every((code) => FORBIDDEN.includes(code))) {
    const subject = has('empresa_inactive') ? 'ActiveEmpresa' : has('empresa_not_allowed') ? 'Empresa' : 'Account'
    const mode = has('mode_not_allowed') || subject === 'Account' ? '' : 'AnyMode'
    const lasting = has('privilege_escalation') ? 'Lasting' : ''
    const root = has('root_key_required') ? 'Root' : ''
    return `Forbidden${subject}${mode}${lasting}${root}`
  }
  return null
}
