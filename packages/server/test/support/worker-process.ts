import { openApp } from '../../src/app.ts'
import { openSessions } from '../../src/domain/platform/account/session.ts'
import { openDatabase } from '../../src/kernel/db.ts'
import { openLog } from '../../src/kernel/log.ts'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { oneKey } from '../../src/kernel/vault.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { defineJob } from './define-job.ts'

// A process of its own that takes up a job and never ends it: made to be killed. It says which job it holds.
const [url = ''] = process.argv.slice(2)
const hold = defineJob<{ mark: string }>({
  name: 'queue.hold',
  run: (ctx) => {
    console.log(ctx.job_id)
    return new Promise(() => undefined)
  },
})

await openApp({
  db: openDatabase(url, { pool_size: 4, onError: () => undefined }),
  ports: { sessions: openSessions(oneKey(new Uint8Array(32))) } as Ports,
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
  jobs: [hold],
  plain: () => [],
  log: openLog('silent'),
  operator_secret: null,
  trust_proxy: false,
  tls: null,
  runs_jobs: true,
})
setInterval(() => undefined, 60_000)
