import { createHmac } from 'node:crypto'
import { isId } from '../../../kernel/id.ts'
import { sameSecret } from '../../../kernel/secret.ts'
import type { Sessions } from '../../../ports/sessions.ts'

const sealOf = ({ cookie_keys }: Pick<Sessions, 'cookie_keys'>, grant_id: string) =>
  createHmac('sha256', cookie_keys[0] ?? '')
    .update(`way out of ${grant_id}`)
    .digest('base64url')

/** The end of the address in the letter: whoever holds it may take the access back, and nothing else. */
export function wayOut(sessions: Pick<Sessions, 'cookie_keys'>, grant_id: string): string {
  return `${grant_id}.${sealOf(sessions, grant_id)}`
}

/** The grant a way out leads out of, or null when we did not write it. */
export function grantOfWayOut(sessions: Pick<Sessions, 'cookie_keys'>, slug: string): string | null {
  const [grant_id = '', seal = ''] = slug.split('.')
  return isId('agent_grant', grant_id) && sameSecret(seal, sealOf(sessions, grant_id)) ? grant_id : null
}
