import { localVault } from '../../src/adapters/vault/local.ts'
import { httpWebhookSender } from '../../src/adapters/webhook/sender.ts'
import { openApp } from '../../src/app.ts'
import { openSessions } from '../../src/domain/platform/account/session.ts'
import { JOBS } from '../../src/jobs.ts'
import { openDatabase } from '../../src/kernel/db.ts'
import { openLog } from '../../src/kernel/log.ts'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { oneKey } from '../../src/kernel/vault.ts'
import type { Ports } from '../../src/ports/ports.ts'

// A process of its own that sends a webhook and never writes down that it did: made to be killed in between.
const [url = '', master = ''] = process.argv.slice(2)
const sender = httpWebhookSender({ allow_private: true })

await openApp({
  db: openDatabase(url, { pool_size: 4, onError: () => undefined }),
  ports: {
    sessions: openSessions(oneKey(new Uint8Array(32))),
    vault: localVault(new Map([[1, Buffer.from(master, 'hex')]])),
    webhooks: {
      ...sender,
      async post(request) {
        const { status } = await sender.post(request)
        console.log(status)
        return new Promise(() => undefined)
      },
    },
  } as Ports,
  addresses: {
    public_url: '',
    base_url: '',
    docs_url: '',
    public_link_base: '',
    reception_domain: '',
    operator_email: '',
  },
  limiter: localRateLimiter(),
  operations: [],
  jobs: JOBS.filter(({ name }) => name === 'webhook.deliver'),
  plain: () => [],
  log: openLog('silent'),
  operator_secret: null,
  trust_proxy: false,
  tls: null,
  runs_jobs: true,
})
setInterval(() => undefined, 60_000)
