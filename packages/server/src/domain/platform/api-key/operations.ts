import { listOf, listQuery } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { isRollReplayable, listKeys, nameOfKey, prepareRoll, revokeApiKey, rollApiKey } from './keys.ts'
import { mintApiKey } from './mint.ts'
import { ApiKey, ApiKeyWithSecret, CreateApiKey, KeyPath } from './schema.ts'

// A key outlives the grant it was made with, and no limit of the grant holds for it.
const mcp = {
  not: 'Credentials are for people and programs: an agent acts by its own grant, and makes no others.',
} as const

export const apiKeyOperations = [
  defineOperation({
    id: 'api_keys.list',
    method: 'GET',
    path: '/api_keys',
    summary: 'List API keys',
    description: 'Metadata only. A root key sees every key on the account, an ordinary key only itself.',
    reach: 'account',
    query: listQuery({}),
    returns: listOf(ApiKey),
    errors: ['invalid_cursor'],
    mcp,
    run: listKeys,
  }),
  defineOperation({
    id: 'api_keys.create',
    method: 'POST',
    path: '/api_keys',
    summary: 'Mint an API key',
    description: 'Needs a root key or an account session. The secret is in this answer and nowhere else, ever.',
    reach: 'account',
    scope: 'keys:write',
    body: CreateApiKey,
    returns: ApiKeyWithSecret,
    status: 201,
    errors: ['privilege_escalation', 'mode_not_allowed', 'email_verification_required', 'account_limit_reached'],
    mcp,
    audited: true,
    run: mintApiKey,
  }),
  defineOperation({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: '/api_keys/{key_id}',
    summary: 'Revoke an API key',
    description:
      'Immediate and irreversible. A key cannot revoke itself, another root key, nor one that can do more than itself; ' +
      'a session revokes keys of its mode.',
    reach: 'account',
    scope: 'keys:write',
    root_only: true,
    params: KeyPath,
    returns: null,
    errors: ['root_key_required', 'api_key_not_found', 'privilege_escalation'],
    mcp,
    audited: true,
    leaves: { object: 'api_key', named: nameOfKey },
    run: revokeApiKey,
  }),
  defineOperation({
    id: 'api_keys.roll',
    method: 'POST',
    path: '/api_keys/{key_id}/roll',
    summary: 'Roll the secret of an API key',
    description:
      'The previous secret keeps working for 24 hours, and one from before that ends: at most two work at a time. A root key rolls itself and keys that it could mint; a session ' +
      'rolls any key of its mode.',
    reach: 'account',
    scope: 'keys:write',
    params: KeyPath,
    returns: ApiKeyWithSecret,
    errors: ['api_key_not_found', 'api_key_roll_conflict', 'privilege_escalation', 'email_verification_required'],
    mcp,
    audited: true,
    raced: 'api_key_roll_conflict',
    replayable: isRollReplayable,
    prepare: prepareRoll,
    run: rollApiKey,
  }),
]
