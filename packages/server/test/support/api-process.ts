import { localVault } from '../../src/adapters/vault/local.ts'
import { openApp } from '../../src/app.ts'
import { openSessions } from '../../src/domain/platform/account/session.ts'
import { openDatabase } from '../../src/kernel/db.ts'
import { openLog } from '../../src/kernel/log.ts'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { oneKey } from '../../src/kernel/vault.ts'
import { OPERATIONS } from '../../src/operations.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { MASTER_KEY } from './master-key.ts'

// A process of its own that answers on loopback. It hears from others over a second address of the database, which a
// test can cut. It says its port.
const [url = '', line_url = ''] = process.argv.slice(2)
const options = { pool_size: 4, onError: () => undefined }
const db = openDatabase(url, options)
const public_url = 'http://timbre.test'

const app = await openApp({
  db: { ...db, connect: openDatabase(line_url, options).connect },
  ports: { sessions: openSessions(oneKey(MASTER_KEY)), vault: localVault(new Map([[1, MASTER_KEY]])) } as Ports,
  addresses: {
    public_url,
    base_url: `${public_url}/v1`,
    docs_url: `${public_url}/docs`,
    public_link_base: public_url,
    reception_domain: 'recepcion.timbre.test',
    operator_email: 'operador@timbre.test',
  },
  limiter: localRateLimiter(),
  operations: OPERATIONS,
  jobs: [],
  plain: () => [],
  log: openLog('silent'),
  operator_secret: null,
  trust_proxy: false,
  tls: null,
  runs_jobs: false,
})
console.log(new URL(await app.http.listen({ host: '127.0.0.1', port: 0 })).port)
