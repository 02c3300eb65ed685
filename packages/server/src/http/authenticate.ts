import { SENT } from '../catalog/headers.ts'
import { isMode, MODES, type Mode } from '../catalog/modes.ts'
import { isOperators } from '../domain/context.ts'
import type { Authenticator } from '../domain/platform/api-key/authenticate.ts'
import { readClock } from '../domain/platform/test-clock/read-clock.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { Problem } from '../kernel/problem.ts'
import { sameSecret } from '../kernel/secret.ts'
import type { Ports } from '../ports/ports.ts'
import type { Admission, Call } from './call.ts'

export interface AuthenticateParts {
  readonly sql: Sql
  readonly keys: Authenticator
  readonly ports: Ports
  readonly operator_secret: string | null
}

const BEARER = /^Bearer ([!-~]+)$/i

export function bearerToken(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

async function authenticateKey({ keys }: AuthenticateParts, call: Call, admission: Admission): Promise<void> {
  const token = bearerToken(call.header('authorization'))
  if (token === null) throw new Problem('invalid_api_key')
  const { key_id, account_id, mode, clock, expires_at, root, scopes, empresas, secret_hash } =
    await keys.authenticate(token)
  const outgoing = expires_at !== null
  admission.account = { account_id, mode }
  admission.caller = { kind: 'key', credential_id: key_id, root, secret_hash, outgoing, scopes, empresas }
  admission.clock = clock
}

/** A mode that cannot be read is refused later, once the call was counted: its sender is known by then. */
function modeOfSession(call: Call): Mode {
  const sent = call.header(SENT.mode)
  return isMode(sent) ? sent : 'live'
}

async function authenticateSession(parts: AuthenticateParts, call: Call, admission: Admission): Promise<void> {
  const { sql, ports } = parts
  const token = bearerToken(call.header('authorization'))
  const session = token === null ? null : await ports.sessions.read(sql, token, call.session_serves ?? 'account')
  if (!session) throw new Problem('invalid_session')
  admission.session = session
  if (call.api === 'bootstrap') return
  const mode = modeOfSession(call)
  const { account_id, session_id, email_verified } = session
  admission.account = { account_id, mode }
  admission.caller = { kind: 'session', credential_id: session_id, email_verified }
  admission.clock = MODES[mode].has_test_clock ? await readClock(sql, { account_id, empresa_id: null }) : REAL_TIME
}

function authenticateOperator({ operator_secret }: AuthenticateParts, call: Call, admission: Admission): void {
  const sent = call.header(SENT.operator_secret)
  if (!operator_secret || !sent || !sameSecret(sent, operator_secret)) {
    throw new Problem('operator_authentication_required')
  }
  admission.operator = true
}

/** Fills in the caller by the credential that the reach of the operation asks for, or refuses with a 401. */
export function authenticate(parts: AuthenticateParts, call: Call, admission: Admission): Promise<void> | undefined {
  const { reach } = call.operation
  if (reach === 'public') return undefined
  if (isOperators(reach)) {
    authenticateOperator(parts, call, admission)
    return undefined
  }
  if (reach === 'session' || call.api === 'dashboard') return authenticateSession(parts, call, admission)
  return authenticateKey(parts, call, admission)
}
