import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argon2Passwords } from './adapters/argon2/passwords.ts'
import { diskArtifacts } from './adapters/disk/artifacts.ts'
import { outboxMail } from './adapters/smtp/outbox-folder.ts'
import { threadCertificates } from './adapters/threads/certificates.ts'
import { threadInspection } from './adapters/threads/inspection.ts'
import { threadPrinter } from './adapters/threads/printer.ts'
import { threadSigning } from './adapters/threads/signing.ts'
import { threadStatements } from './adapters/threads/statements.ts'
import { unconnectedBank } from './adapters/unconnected/bank.ts'
import { localVault } from './adapters/vault/local.ts'
import { httpWebhookSender } from './adapters/webhook/sender.ts'
import { type App, openApp } from './app.ts'
import { banner } from './banner.ts'
import { certificateAuthorities } from './certificate-authorities.ts'
import type { Config } from './config.ts'
import { connectSii } from './connect-sii.ts'
import { openCustody, requestReseal } from './custody.ts'
import { openSessions } from './domain/platform/account/session.ts'
import { openWeatherStation } from './domain/platform/sii-weather/station.ts'
import { bankNoticeRoutes } from './http/bank-notices.ts'
import { healthRoutes } from './http/health.ts'
import { openMetrics, servesMetricsOnMainPort } from './http/metrics.ts'
import { accountRoutes } from './http/page-routes/account.ts'
import { certificationsRoutes } from './http/page-routes/certifications.ts'
import { checkoutRoutes } from './http/page-routes/checkout.ts'
import { connectRoutes } from './http/page-routes/connect.ts'
import { contractRoutes, docsRoutes } from './http/page-routes/docs.ts'
import { onboardingRoutes } from './http/page-routes/onboarding/routes.ts'
import { operatorSessionRoutes } from './http/page-routes/operator-session.ts'
import { documentRoutes, f29Routes } from './http/page-routes/public-links.ts'
import { rutClaimRoutes } from './http/page-routes/rut-claim.ts'
import { siiWeatherRoutes } from './http/page-routes/sii-weather.ts'
import { JOBS } from './jobs.ts'
import { openCursorSeal } from './kernel/cursor-seal.ts'
import { type Database, openDatabase } from './kernel/db.ts'
import { describeError, type Log } from './kernel/log.ts'
import { migrate } from './kernel/migrate.ts'
import { maintainPartitions } from './kernel/partition.ts'
import { correctJobTimes } from './kernel/queue-clock.ts'
import { localRateLimiter, type RateLimiter } from './kernel/rate-limit.ts'
import { retentionNow } from './kernel/retention-clock.ts'
import type { Transactor } from './kernel/transactor.ts'
import type { MasterKeys } from './kernel/vault.ts'
import { OPERATIONS } from './operations.ts'
import { ownPorts } from './own-ports.ts'
import type { Mail } from './ports/mail.ts'
import type { Addresses, Ports } from './ports/ports.ts'
import { REACTIONS } from './reactions.ts'
import { sandboxBank } from './sandbox/bank/bank.ts'
import { sandboxSii } from './sandbox/sii/sii.ts'
import type { Simulator } from './simulator.ts'
import { takeOverJobs, worksAlone } from './take-over.ts'
import { mailReceiver } from './worker/receive-mail.ts'

export type Closing = () => Promise<void>

/** The PostgreSQL that it runs on, and how a person is told of it. */
export interface DatabaseServer {
  readonly url: string
  readonly description: string
}

function addressesOf(config: Config): Addresses {
  const { public_url, public_link_base, reception_domain, operator_email } = config
  return {
    public_url,
    base_url: `${public_url}/v1`,
    docs_url: `${public_url}/docs`,
    public_link_base,
    reception_domain,
    operator_email,
  }
}

async function portsOf(
  config: Config,
  keys: MasterKeys,
  { sql, steady }: Database,
  { simulator, own_ports }: { readonly simulator: Simulator | null; readonly own_ports: ReadonlySet<number> },
  log: Log,
): Promise<Ports & { readonly sii: { readonly live: { close(): Promise<void> } } }> {
  const authorities = await certificateAuthorities(config)
  const vault = localVault(keys.keys, keys.current)
  const weather = openWeatherStation(sql)
  return {
    mail: await mailOf(config),
    vault,
    passwords: argon2Passwords(),
    sessions: openSessions(keys),
    cursors: openCursorSeal(keys),
    sii: {
      test: sandboxSii({ sql, steady: steady.sql, vault, authorities }),
      live: await connectSii(config, {
        sql,
        steady: steady.sql,
        vault,
        authorities,
        simulator,
        onCall: weather.called,
      }),
    },
    bank: { test: sandboxBank({ sql }), live: await bankOf(config) },
    weather,
    webhooks: httpWebhookSender({ allow_private: config.webhooks_allow_private, own_ports }),
    artifacts: diskArtifacts({
      folder: join(config.data_dir, 'artifacts'),
      onTrouble: (error) => log.warn({ error: describeError(error) }, 'an artifact could not be kept or read'),
    }),
    printer: threadPrinter(),
    signing: threadSigning(),
    inspection: threadInspection(),
    statements: threadStatements(new URL('./statement-thread.js', import.meta.url)),
    certificates: threadCertificates(),
  }
}

// What only some installations have is loaded only there: the others start sooner and stay smaller.

async function mailOf({ smtp_url, mail_from: from, data_dir }: Config): Promise<Mail> {
  if (smtp_url === null) return outboxMail({ folder: join(data_dir, 'outbox'), from })
  const { smtpMail } = await import('./adapters/smtp/mail.ts')
  return smtpMail({ url: smtp_url, from })
}

async function bankOf({ fintoc }: Config): Promise<Ports['bank']['live']> {
  if (fintoc === null) return unconnectedBank()
  const { fintocBank } = await import('./adapters/fintoc/bank.ts')
  return fintocBank(fintoc)
}

async function limiterOf(config: Config, log: Log): Promise<RateLimiter> {
  if (config.redis_url === null) return localRateLimiter()
  const { redisRateLimiter } = await import('./adapters/redis/rate-limiter.ts')
  return redisRateLimiter(config.redis_url, log)
}

/** The mail server for suppliers, where it is configured. It stores mail; a worker ingests it. */
async function openMailServer(
  config: Config,
  { db, app, limiter }: { readonly db: Database; readonly app: App; readonly limiter: RateLimiter },
  log: Log,
  closings: Closing[],
): Promise<void> {
  if (config.reception_smtp_port === null || config.role === 'worker') return
  const { openReception } = await import('./adapters/smtp/reception.ts')
  const reception = await openReception({
    host: config.host,
    port: config.reception_smtp_port,
    domain: config.reception_domain,
    tls: await tlsFiles(config),
    ...mailReceiver({ sql: db.sql, transactor: app.transactor, limiter }),
    onTrouble: (error) => log.warn({ error: describeError(error) }, 'a mail could not be taken'),
  })
  closings.unshift(() => reception.close())
}

async function tlsFiles({ tls }: Config): Promise<{ cert: Buffer; key: Buffer } | null> {
  return tls && { cert: await readFile(tls.cert_file), key: await readFile(tls.key_file) }
}

/** Starts the service over its database, by its configuration; `closings` take it down again, in order. */
export async function serve(
  config: Config,
  { url, description }: DatabaseServer,
  log: Log,
  { closings, simulator: begun }: { readonly closings: Closing[]; readonly simulator: Promise<Simulator | null> },
): Promise<void> {
  const onError = (error: Error) => log.warn({ error: describeError(error) }, 'a database connection was lost')
  const db = openDatabase(url, { pool_size: config.database_pool, onError })
  closings.unshift(() => db.end())
  await migrate(db)
  await maintainPartitions(db, undefined, await retentionNow(db.sql))
  await correctJobTimes(db.sql)

  const addresses = addressesOf(config)
  const keys = await openCustody(db, config)
  if (worksAlone(config)) await takeOverJobs(db, log)
  const simulator = await begun
  if (simulator) closings.unshift(() => simulator.close())
  const own_ports = ownPorts(config, url, simulator)
  const ports = await portsOf(config, keys, db, { simulator, own_ports }, log)
  closings.unshift(() => ports.sii.live.close())
  closings.unshift(() => ports.webhooks.close())
  closings.unshift(() => ports.bank.live.close())
  closings.unshift(() => ports.printer.close())
  closings.unshift(() => ports.signing.close())
  closings.unshift(() => ports.inspection.close())
  closings.unshift(() => ports.statements.close())
  closings.unshift(() => ports.certificates.close())
  const limiter = await limiterOf(config, log)
  closings.unshift(() => limiter.close())
  const { operator_secret } = config
  const operator = (transactor: Transactor) => ({ sql: db.sql, addresses, transactor, limiter, operator_secret })
  const metrics = openMetrics(db, ports.weather, { on_main_port: servesMetricsOnMainPort(config) })
  const app = await openApp({
    db,
    ports,
    addresses,
    limiter,
    operations: OPERATIONS,
    jobs: JOBS,
    plain: (transactor) => [
      ...healthRoutes(db),
      metrics.route,
      ...contractRoutes(OPERATIONS, addresses),
      ...docsRoutes(OPERATIONS, addresses),
      ...accountRoutes(),
      ...siiWeatherRoutes(ports),
      ...documentRoutes({ sql: db.sql, ports, limiter, log }),
      ...f29Routes({ sql: db.sql, limiter, log, ports }),
      ...connectRoutes({ sql: db.sql, ports, transactor, limiter, log }),
      ...checkoutRoutes({ sql: db.sql, ports, addresses, transactor, limiter, log }),
      ...rutClaimRoutes({ sql: db.sql, ports, addresses, transactor, limiter, log, reactions: REACTIONS }),
      ...onboardingRoutes({ sql: db.sql, ports, addresses, transactor, reactions: REACTIONS, limiter, log }),
      ...operatorSessionRoutes(operator(transactor)),
      ...certificationsRoutes(operator(transactor)),
      ...bankNoticeRoutes({ sql: db.sql, ports, transactor }),
    ],
    log,
    operator_secret,
    trust_proxy: config.trust_proxy,
    tls: await tlsFiles(config),
    runs_jobs: config.role !== 'api',
    onAnswer: metrics.observe,
    onRun: metrics.observeRun,
  })
  closings.unshift(() => app.close())
  await requestReseal(app.transactor, keys)
  await openMailServer(config, { db, app, limiter }, log, closings)
  if (config.metrics_port !== null) {
    const listening = await metrics.listen(config.metrics_port)
    closings.unshift(() => listening.close())
  }
  if (config.role !== 'worker') await app.http.listen({ host: config.host, port: config.port })
  for (const address of app.http.addresses()) if (typeof address === 'object') own_ports.add(address.port)
  printStarted(
    config,
    banner({
      config,
      database: description,
      mail: ports.mail.describe,
      simulator,
      limits: config.redis_url ? 'shared on Redis' : 'in this process',
    }),
  )
}

function printStarted(config: Config, text: string): void {
  process.stdout.write(config.role === 'worker' ? '\nTimbre works on the queue. Ctrl-C stops it.\n' : text)
}
