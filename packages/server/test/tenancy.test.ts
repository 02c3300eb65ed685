import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { isOperators } from '../src/domain/context.ts'
import { defineOperation, namesEmpresa, type Operation } from '../src/domain/operation.ts'
import { Closed } from '../src/kernel/schema.ts'
import { OPERATIONS } from '../src/operations.ts'
import { insertOneOfEach } from './support/one-of-each.ts'
import { OPERATOR_SECRET, openWorld, type Request, randomRut, type World } from './support/world.ts'

/** Stands for every operation that takes its empresa from the header, until the first of them exists. */
const byHeader = defineOperation({
  id: 'probes.get',
  method: 'GET',
  path: '/probes',
  summary: 'Say which empresa was reached',
  reach: 'empresa',
  scope: 'documents:read',
  returns: Closed({ rut: Type.String() }),
  run: async (ctx) => ({ rut: ctx.empresa.rut }),
})
const changeByHeader = defineOperation({
  id: 'probes.change',
  method: 'POST',
  path: '/probes',
  summary: 'Change something of an empresa',
  reach: 'empresa',
  scope: 'documents:write',
  returns: Closed({ rut: Type.String() }),
  run: async (ctx) => ({ rut: ctx.empresa.rut }),
})

const windowed = defineOperation({
  id: 'windows.get',
  method: 'GET',
  path: '/windows',
  summary: 'Count in a window of one empresa',
  reach: 'empresa',
  limit: 'tax.sync',
  returns: Closed({ rut: Type.String() }),
  run: async (ctx) => ({ rut: ctx.empresa.rut }),
})

const ALL = [...OPERATIONS, byHeader, changeByHeader]
const MAIN = ALL.filter(({ api, reach }) => api === 'v1' && (reach === 'account' || reach === 'empresa'))

let world: World
let owner: string
const rut = randomRut()
const elsewhere = randomRut()
let ids: Record<string, string>

beforeAll(async () => {
  world = await openWorld({ operations: ALL })
  owner = await world.account()
  const key = await world.key(owner)
  ids = await insertOneOfEach(world, { account: owner, key, rut })
})
afterAll(() => world.close())

function pathOf(operation: Operation, root = '/v1'): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = ids[name]
    if (value === undefined) throw new Error(`tell one-of-each.ts an id for {${name}} of ${operation.id}`)
    return value
  })
  return root + filled
}

function call(operation: Operation, request: Request, root?: string) {
  const selects = operation.reach === 'empresa' && !namesEmpresa(operation) && request.empresa === undefined
  return world.call(operation.method, pathOf(operation, root), selects ? { ...request, empresa: rut } : request)
}

const keys = new Map<string, Promise<string>>()

/** A key of the owner. Operations that ask for the same one share it: what is looked at here leaves no trace on a key. */
function ownersKey(options: Parameters<World['key']>[1] = {}): Promise<string> {
  const name = JSON.stringify(options)
  const key = keys.get(name) ?? world.key(owner, options)
  keys.set(name, key)
  return key
}

let session_of_owner: Promise<string> | null = null
const ownersSession = () => {
  session_of_owner ??= world.session(owner)
  return session_of_owner
}

const codeOf = (sent: { body: { error?: { code: string } } }) => sent.body?.error?.code

describe('nobody in', () => {
  for (const operation of MAIN) {
    it(`${operation.id}: 401 without a credential, with a garbled one, and with a session`, async () => {
      const session = await ownersSession()
      for (const request of [{}, { key: 'sk_test_nobody' }, { key: `sk_test_${'a'.repeat(43)}` }, { session }]) {
        const sent = await call(operation, request)
        expect([sent.status, codeOf(sent)]).toEqual([401, 'invalid_api_key'])
        expect(sent.headers['ratelimit-limit']).toBeUndefined()
      }
    })

    it(`${operation.id}: a stranger reaches nothing of another account`, async () => {
      // Another one each time: what a stranger tried stands in its own audit log.
      const key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
      const sent = await call(operation, { key })
      const named = /\{(?!rut\})/.test(operation.path) || operation.reach === 'empresa'
      if (named) expect([403, 404]).toContain(sent.status)
      for (const id of Object.values(ids)) if (id !== '76192083-9') expect(sent.text).not.toContain(`"${id}"`)
      // A header is echoed back to whoever sent it; nothing else of the owner may show.
      if (operation.reach === 'account' || namesEmpresa(operation)) expect(sent.text).not.toContain(rut)
    })
  }

  for (const operation of MAIN.filter(({ scope, root_only }) => scope && !root_only)) {
    it(`${operation.id}: 403 insufficient_scope names ${operation.scope}`, async () => {
      const key = await ownersKey({ scopes: SCOPE_NAMES.filter((scope) => scope !== operation.scope) })
      const sent = await call(operation, { key })
      expect([sent.status, codeOf(sent)]).toEqual([403, 'insufficient_scope'])
      expect(sent.body.error.details.scope).toBe(operation.scope)
      expect(sent.body.error.message).toContain(operation.scope)
    })
  }

  for (const operation of MAIN.filter(({ root_only }) => root_only)) {
    it(`${operation.id}: 403 root_key_required for a key that is not root`, async () => {
      const sent = await call(operation, { key: await ownersKey() })
      expect([sent.status, codeOf(sent)]).toEqual([403, 'root_key_required'])
    })
  }
})

describe('the right empresa', () => {
  for (const operation of MAIN.filter(({ reach }) => reach === 'account')) {
    it(`${operation.id}: 400 empresa_header_forbidden`, async () => {
      const sent = await call(operation, { key: await ownersKey({ scopes: SCOPE_NAMES }), empresa: rut })
      expect([sent.status, codeOf(sent)]).toEqual([400, 'empresa_header_forbidden'])
    })
  }

  for (const operation of MAIN.filter(({ reach }) => reach === 'empresa')) {
    it(`${operation.id}: 403 empresa_not_allowed outside the key's allowlist`, async () => {
      const sent = await call(operation, {
        key: await ownersKey({ scopes: SCOPE_NAMES, empresas: [elsewhere] }),
      })
      expect([sent.status, codeOf(sent)]).toEqual([403, 'empresa_not_allowed'])
    })

    if (!operation.test_only) {
      it(`${operation.id}: 403 mode_not_allowed with a key of the other mode`, async () => {
        const sent = await call(operation, { key: await ownersKey({ scopes: SCOPE_NAMES, mode: 'live' }) })
        expect([sent.status, codeOf(sent)]).toEqual([403, 'mode_not_allowed'])
      })
    }
  }

  for (const operation of MAIN.filter((one) => one.reach === 'empresa' && namesEmpresa(one))) {
    it(`${operation.id}: 400 when the header names another empresa than the path`, async () => {
      const sent = await call(operation, { key: await ownersKey({ scopes: SCOPE_NAMES }), empresa: randomRut() })
      expect([sent.status, codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', 'Svc-Empresa'])
    })
  }

  it('400 empresa_header_required where the path names none, unless the key reaches exactly one', async () => {
    const wide = await world.get('/v1/probes', { key: await ownersKey() })
    expect([wide.status, codeOf(wide)]).toEqual([400, 'empresa_header_required'])
    const token = await world.get('/v1/probes', { key: await ownersKey({ empresas: [rut] }) })
    expect([token.status, token.body]).toEqual([200, { rut }])
  })

  it.each(['76192083-0', '76.192.083-9', '10000013-k', 'quillay'])(
    '400 invalid_rut when the header holds no canonical RUT: %s',
    async (empresa) => {
      const sent = await world.get('/v1/probes', { key: await ownersKey(), empresa })
      expect([sent.status, codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_rut', 'Svc-Empresa'])
    },
  )

  it('429 counts a key of one empresa in one window, whether or not it names it', async () => {
    const tight = await openWorld({ unlimited: false, operations: [...OPERATIONS, byHeader, windowed], beside: world })
    const key = await tight.key(owner, { empresas: [rut] })
    const left = async (empresa?: string) =>
      (await tight.get('/v1/windows', { key, ...(empresa && { empresa }) })).headers['ratelimit-remaining']
    expect([await left(), await left(rut), await left()]).toEqual(['9', '8', '7'])
    await tight.close()
  })

  it('404 empresa_not_found for a RUT the account does not have', async () => {
    const sent = await world.get('/v1/probes', { key: await ownersKey(), empresa: randomRut() })
    expect([sent.status, codeOf(sent)]).toEqual([404, 'empresa_not_found'])
  })
})

describe('the session surface', () => {
  for (const operation of MAIN.filter(({ dashboard }) => dashboard)) {
    it(`${operation.id}: 401 invalid_session for an API key, on both roots`, async () => {
      const key = await ownersKey({ scopes: SCOPE_NAMES })
      for (const root of ['/dashboard', '/v1/dashboard']) {
        const sent = await call(operation, { key }, root)
        expect([sent.status, codeOf(sent)]).toEqual([401, 'invalid_session'])
      }
    })

    it(`${operation.id}: 400 for a mode that does not exist`, async () => {
      const sent = await call(operation, { session: await ownersSession(), mode: 'prueba' }, '/dashboard')
      expect([sent.status, codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', 'Svc-Mode'])
      expect(sent.headers['ratelimit-remaining']).toBeDefined()
    })
  }
})

describe('what every answer carries', () => {
  for (const operation of MAIN) {
    it(`${operation.id}: Svc-Request-Id and the rate headers, whatever became of it`, async () => {
      const key = await ownersKey({ scopes: SCOPE_NAMES })
      const harmless = operation.method === 'GET' ? pathOf(operation) : `${pathOf(operation)}?unknown=1`
      const request = operation.reach === 'empresa' && !namesEmpresa(operation) ? { key, empresa: rut } : { key }
      const sent = await world.call(operation.method, harmless, request)
      expect(sent.headers['svc-request-id']).toMatch(/^req_/)
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        expect(sent.headers[name]).toMatch(/^\d+$/)
      }
      if (sent.status >= 400) {
        expect(sent.body.error).toMatchObject({ request_id: sent.headers['svc-request-id'], code: expect.any(String) })
        expect(Boolean(sent.headers['retry-after'])).toBe(sent.body.error.retriable)
      }
    })

    it(`${operation.id}: 400 invalid_field names an unknown query parameter`, async () => {
      const key = await ownersKey({ scopes: SCOPE_NAMES })
      const request = operation.reach === 'empresa' && !namesEmpresa(operation) ? { key, empresa: rut } : { key }
      const sent = await world.call(operation.method, `${pathOf(operation)}?statsu=x`, request)
      expect([sent.status, codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', 'statsu'])
    })

    if (operation.method !== 'GET') {
      it(`${operation.id}: 400 invalid_field names an unknown body field, on every surface`, async () => {
        const key = await ownersKey({ scopes: SCOPE_NAMES })
        const sent = await call(operation, { key, body: { not_a_field: 1 } })
        expect([sent.status, codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', 'not_a_field'])
        if (!operation.dashboard) return
        const session = await ownersSession()
        const mirrored = await call(operation, { session, mode: 'test', body: { not_a_field: 1 } }, '/dashboard')
        expect([mirrored.status, mirrored.body.error.param]).toEqual([400, 'not_a_field'])
      })
    }
  }

  for (const operation of ALL.filter(({ reach }) => reach === 'public')) {
    it(`${operation.id}: a request id and no rate headers, for it is open to anyone`, async () => {
      const root = operation.api === 'bootstrap' ? '' : '/v1'
      const sent = await world.call(operation.method, pathOf(operation, root), {})
      expect(sent.headers['svc-request-id']).toMatch(/^req_/)
      expect(sent.headers['ratelimit-limit']).toBeUndefined()
    })
  }
})

describe('the operator', () => {
  for (const operation of ALL.filter(({ reach }) => isOperators(reach))) {
    it(`${operation.id}: 401 operator_authentication_required for anyone else, root keys included`, async () => {
      const root = await ownersKey({ scopes: SCOPE_NAMES })
      const wrong = { headers: { 'svc-operator-secret': `${OPERATOR_SECRET}x` } }
      for (const request of [{}, { key: root }, { session: await ownersSession() }, wrong]) {
        const sent = await call(operation, request)
        expect([sent.status, codeOf(sent)]).toEqual([401, 'operator_authentication_required'])
      }
    })
  }

  it('has no door at all on the session surface', async () => {
    for (const operation of ALL.filter(({ reach }) => isOperators(reach))) {
      const sent = await call(operation, { session: await ownersSession() }, '/dashboard')
      // 405 where the session reads at the address that the operator writes to.
      expect([404, 405]).toContain(sent.status)
    }
  })
})

describe('an empresa that is archived', () => {
  const archived = randomRut()
  let archived_id = ''
  let key = ''
  beforeAll(async () => {
    key = await ownersKey({ scopes: SCOPE_NAMES })
    archived_id = (await world.post('/v1/empresas', { key, body: { rut: archived, legal_name: 'Se archiva' } })).body.id
    await world.patch(`/v1/empresas/${archived_id}`, { key, body: { status: 'archived' } })
  })

  for (const operation of MAIN.filter((one) => one.reach === 'empresa' && !one.allows_inactive)) {
    it(`${operation.id}: 403 empresa_inactive`, async () => {
      const path = pathOf(operation).replace(ids.empresa_id ?? '', archived_id)
      const sent = await world.call(
        operation.method,
        path,
        namesEmpresa(operation) ? { key } : { key, empresa: archived },
      )
      expect([sent.status, codeOf(sent)]).toEqual([403, 'empresa_inactive'])
    })
  }
})
