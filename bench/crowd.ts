import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asked } from './asked.ts'
import { built, openService, type Service } from './service.ts'

// Ten thousand endpoints, one of which takes every request and never answers: how long the others wait because of it.
const ACCOUNTS = 625
const ENDPOINTS_EACH = 16
/** Events of the account whose first endpoint hangs: a backlog that would fill every slot, were it let. */
const BACKLOG = 100

const receiver = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('receiver.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(receiver.stdout, 'data')) as [Buffer]
const prompt = `http://127.0.0.1:${line.toString().trim()}/hook`
const hanging = createServer(() => undefined)
await once(hanging.listen(0, '127.0.0.1'), 'listening')
const hangs = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/hook`

/** Accounts with their endpoints, as the service would write them. */
async function openCrowd({ db, vault }: Service, first_url: string): Promise<string[]> {
  await db.sql`delete from webhook_endpoint`
  const now = new Date(built.systemNow())
  const accounts = Array.from({ length: ACCOUNTS }, () => built.newId('account'))
  await db.sql`insert into account (id, email, name, password_hash, created_at)
    select id, id || '@example.cl', 'Crowd', 'none', ${now} from unnest(${accounts}::text[]) as a (id)`
  const secret = Buffer.from(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  const endpoints = accounts.flatMap((account_id) =>
    Array.from({ length: ENDPOINTS_EACH }, () => {
      const id = built.newId('webhook_endpoint')
      return { account_id, id, sealed: Buffer.from(vault.seal(id, secret)).toString('hex') }
    }),
  )
  const urls = endpoints.map((_, i) => (i === 0 ? first_url : prompt))
  await db.sql`
    insert into webhook_endpoint (account_id, id, mode, url, description, enabled_events, empresas, secret, created_at)
    select e.account_id, e.id, 'test', e.url, '', '{*}', '{*}', decode(e.sealed, 'hex'), ${now}
    from (select unnest(${endpoints.map((e) => e.account_id)}::text[]) as account_id,
      unnest(${endpoints.map((e) => e.id)}::text[]) as id, unnest(${urls}::text[]) as url,
      unnest(${endpoints.map((e) => e.sealed)}::text[]) as sealed) e`
  return accounts
}

const fanOut = built.openFanOut()

async function happen({ db, empresa_id, rut }: Service, accounts: readonly string[]): Promise<void> {
  const object = { object: 'document', id: built.newId('document'), note: 'x'.repeat(1_200) }
  for (const [i, account_id] of accounts.entries()) {
    const unit = new built.UnitOfWork({ account_id, mode: 'test', empresa_id: null, clock: built.REAL_TIME }, fanOut)
    for (let left = i === 0 ? BACKLOG : 1; left > 0; left--) {
      unit.emit({ type: 'document.accepted', object, empresa: { id: empresa_id, rut } })
    }
    await db.transact((sql) => unit.flush(sql))
  }
}

const received = async () => Number(await (await fetch(prompt)).text())

/** Seconds until everybody but the first endpoint has got everything. */
async function secondsUntilServed(service: Service, first_url: string): Promise<number> {
  await happen(service, await openCrowd(service, first_url))
  await service.db.sql`vacuum analyze`
  const owed = (ACCOUNTS - 1) * ENDPOINTS_EACH + BACKLOG * (ENDPOINTS_EACH - 1)
  const all = owed + (first_url === prompt ? BACKLOG : 0)
  const before = await received()
  const worker = await service.openWorker()
  const started = performance.now()
  while ((await received()) - before < all) await sleep(50)
  const seconds = (performance.now() - started) / 1000
  await worker.close()
  await service.db.sql`delete from job where pool = 'delivery'`
  return seconds
}

const service = await openService({ runs_jobs: false })
await secondsUntilServed(service, prompt)
const alone = await secondsUntilServed(service, prompt)
const beside = await secondsUntilServed(service, hangs)
console.log(`10,000 endpoints, all prompt         ${alone.toFixed(1)} s until all are served`)
console.log(`one of them hangs, ${BACKLOG} events behind it  ${beside.toFixed(1)} s until the others are`)
asked('beside one that hangs to all prompt', beside / alone, { below: 1.25 })

receiver.kill()
hanging.closeAllConnections()
hanging.close()
await service.close()
