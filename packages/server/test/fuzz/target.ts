// A service with every door open on a real port, and an empresa that holds one thing of every kind.

import type { AddressInfo } from 'node:net'
import { openReception } from '../../src/adapters/smtp/reception.ts'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import type { Input, Operation } from '../../src/domain/operation.ts'
import { bankNoticeRoutes } from '../../src/http/bank-notices.ts'
import { healthRoutes } from '../../src/http/health.ts'
import { accountRoutes } from '../../src/http/page-routes/account.ts'
import { connectRoutes } from '../../src/http/page-routes/connect.ts'
import { contractRoutes, docsRoutes } from '../../src/http/page-routes/docs.ts'
import { documentRoutes, f29Routes } from '../../src/http/page-routes/public-links.ts'
import type { PlainRoute } from '../../src/http/routes.ts'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { mailReceiver } from '../../src/worker/receive-mail.ts'
import { grantTo } from '../support/agent-grant.ts'
import { openIssuer } from '../support/issuer.ts'
import { insertOneOfEach } from '../support/one-of-each.ts'
import { openWorld, randomRut, type World, type WorldOptions } from '../support/world.ts'

/** Somebody with an account, and the ids of what is theirs. */
export interface Tenant {
  readonly key: string
  readonly token: string
  readonly rut: string
  readonly ids: Readonly<Record<string, string>>
  /** A new one each time: a session can be ended by what is fuzzed. */
  session(): Promise<string>
}

export interface Target {
  readonly world: World
  readonly port: number
  readonly smtp_port: number
  readonly mailbox: string
  readonly operations: readonly Operation[]
  readonly pages: readonly PlainRoute[]
  openTenant(): Promise<Tenant>
  close(): Promise<void>
}

/** The same operations, telling which of them ran: their input had passed validation. */
function watched(onReach: (operation_id: string) => void): readonly Operation[] {
  return OPERATIONS.map((operation) => {
    const { prepare } = operation
    const told = <C, R>(work: (contexts: C, input: Input) => R) => {
      return (contexts: C, input: Input) => {
        onReach(operation.id)
        return work(contexts, input)
      }
    }
    // What prepares runs first, and what it refuses was valid all the same.
    return prepare ? { ...operation, prepare: told(prepare) } : { ...operation, run: told(operation.run) }
  })
}

export async function openTarget(
  options: Pick<WorldOptions, 'runs_jobs' | 'inspection' | 'printer'>,
  onReach: (operation_id: string) => void,
): Promise<Target> {
  const operations = watched(onReach)
  const pages: PlainRoute[] = []
  const at = 'http://timbre.test'
  const addresses = {
    public_url: at,
    base_url: `${at}/v1`,
    docs_url: `${at}/docs`,
    public_link_base: at,
    reception_domain: 'recepcion.timbre.test',
    operator_email: 'operador@timbre.test',
  }
  const world = await openWorld({
    ...options,
    operations,
    plain: (db, parts) => {
      pages.push(
        ...healthRoutes(db),
        ...contractRoutes(operations, addresses),
        ...docsRoutes(operations, addresses),
        ...accountRoutes(),
        ...documentRoutes({ sql: db.sql, ...parts }),
        ...f29Routes({ sql: db.sql, ...parts }),
        ...connectRoutes({ sql: db.sql, ...parts }),
        ...bankNoticeRoutes({ sql: db.sql, ...parts }),
      )
      return pages
    },
  })
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  const limiter = localRateLimiter()
  const receiver = mailReceiver({ sql: world.db.sql, transactor: world.app.transactor, limiter })
  const reception = await openReception({
    host: '127.0.0.1',
    port: 0,
    domain: 'recepcion.timbre.test',
    tls: null,
    ...receiver,
    // Everything comes from one address to one mailbox, and all of it is to be read.
    hear: async () => null,
    accepts: async (mailbox) => (await receiver.accepts(mailbox)) !== false,
    onTrouble: () => undefined,
  })
  const { rut } = await openIssuer(world, { mode: 'live' })
  let tenants = 0
  return {
    world,
    operations,
    pages,
    port: (world.app.http.server.address() as AddressInfo).port,
    smtp_port: reception.port,
    mailbox: `${rut}@recepcion.timbre.test`,
    async openTenant() {
      const account = await world.account()
      const rut = randomRut()
      const owner = await world.key(account)
      const ids = await insertOneOfEach(world, { account, key: owner, rut, tag: `fuzz${tenants++}` })
      const { token } = await grantTo(world, account)
      const key = await world.key(account, { scopes: SCOPE_NAMES })
      return { key, token, rut, ids, session: () => world.session(account) }
    },
    async close() {
      await reception.close()
      await limiter.close()
      await world.close()
    },
  }
}
