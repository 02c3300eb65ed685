import { type Caller, SiiFailure } from '@timbre/sii'
import { type SenderRefusalReason, SenderRefused, type SiiRoad } from '../../ports/sii.ts'
import { isRefusal } from './unreachable.ts'

/** STATUS of an upload that is about who sends it, or for whom, and not about the file (SII, Envío automático de DTE v1.5). */
const UPLOAD_REASONS: Readonly<Record<string, SenderRefusalReason>> = {
  1: 'no_permission',
  6: 'empresa_not_authorised',
}
/** A seed that is signed and gets no token: nothing can be sent with that certificate, whatever is wrong with it. */
const TOKEN_ROADS: Readonly<Record<string, SiiRoad>> = { getToken: 'dte', 'boleta.token': 'boleta' }

const ABOUT_PERMISSION = /autorizad|permiso/i

/**
 * The boleta channel answers 401 to a token that it does not take and, by public accounts, to a person without permission
 * (unverified which words it has for that). The client has tried a token of that very moment by then, which may have
 * been ended by another one: only words about a permission are certain.
 */
function reasonOf(failure: SiiFailure): { road: SiiRoad; reason: SenderRefusalReason; certain: boolean } | null {
  const { operation, estado } = failure
  const road = TOKEN_ROADS[operation]
  if (road !== undefined) return isRefusal(failure) ? { road, reason: 'certificate_not_taken', certain: true } : null
  const reason = operation === 'DTEUpload' && isRefusal(failure) ? UPLOAD_REASONS[estado ?? ''] : undefined
  if (reason !== undefined) return { road: 'dte', reason, certain: true }
  if (operation === 'boleta.envio' && failure.token_refused && estado === 'HTTP 401') {
    return { road: 'boleta', reason: 'no_permission', certain: ABOUT_PERMISSION.test(failure.glosa ?? '') }
  }
  return null
}

/** The failure as a refusal of the person who sends, where it is one; otherwise as it is. */
export function asSenderRefused(error: unknown, { identity }: Pick<Caller, 'identity'>): unknown {
  const found = error instanceof SiiFailure ? reasonOf(error) : null
  if (!found) return error
  return new SenderRefused({ ...found, sentence: (error as SiiFailure).glosa, fingerprint: identity.fingerprint })
}
