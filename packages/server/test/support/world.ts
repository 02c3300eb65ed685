// The service with a database of its own: every test of the API calls it.

import { type KeyObject, randomInt, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDigit, formatRut } from '@timbre/dte/values'
import { inject } from 'vitest'
import { argon2Passwords } from '../../src/adapters/argon2/passwords.ts'
import { diskArtifacts } from '../../src/adapters/disk/artifacts.ts'
import { inspectFile, inspectMail } from '../../src/adapters/inspection/inspect.ts'
import { openPfx } from '../../src/adapters/threads/open-certificate.ts'
import { threadPrinter } from '../../src/adapters/threads/printer.ts'
import { signDocuments } from '../../src/adapters/threads/sign-documents.ts'
import { unconnectedBank } from '../../src/adapters/unconnected/bank.ts'
import { localVault } from '../../src/adapters/vault/local.ts'
import { httpWebhookSender } from '../../src/adapters/webhook/sender.ts'
import { type App, type AppParts, openApp } from '../../src/app.ts'
import type { Mode } from '../../src/catalog/modes.ts'
import { COLD_START_SCOPES, type Scope } from '../../src/catalog/scopes.ts'
import { inspectFile as inspectStatement } from '../../src/domain/banking/statement/parse/inspect.ts'
import { readMovements } from '../../src/domain/banking/statement/parse/read-movements.ts'
import type { HandledJob } from '../../src/domain/job.ts'
import type { Operation } from '../../src/domain/operation.ts'
import { openSessions } from '../../src/domain/platform/account/session.ts'
import { makeApiKey } from '../../src/domain/platform/api-key/mint.ts'
import { openWeatherStation } from '../../src/domain/platform/sii-weather/station.ts'
import type { PlainRoute } from '../../src/http/routes.ts'
import { JOBS } from '../../src/jobs.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { openCursorSeal } from '../../src/kernel/cursor-seal.ts'
import type { Database, Sql } from '../../src/kernel/db.ts'
import { newId } from '../../src/kernel/id.ts'
import { openLog } from '../../src/kernel/log.ts'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { type MasterKeys, oneKey, type Vault } from '../../src/kernel/vault.ts'
import { OPERATIONS } from '../../src/operations.ts'
import type { Bank } from '../../src/ports/bank.ts'
import type { Inspection } from '../../src/ports/inspection.ts'
import type { Letter, Mail } from '../../src/ports/mail.ts'
import type { Passwords } from '../../src/ports/passwords.ts'
import type { Ports } from '../../src/ports/ports.ts'
import type { Printer } from '../../src/ports/printer.ts'
import type { Signing } from '../../src/ports/signing.ts'
import type { Sii } from '../../src/ports/sii.ts'
import type { Statements } from '../../src/ports/statements.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { sandboxBank } from '../../src/sandbox/bank/bank.ts'
import { newRsaKey } from '../../src/sandbox/sii/keys.ts'
import { sandboxSii } from '../../src/sandbox/sii/sii.ts'
import { checkAnswer } from './check-contract.ts'
import { databaseFromTemplate, giveBack, poolOf } from './database-template.ts'
import { MASTER_KEY } from './master-key.ts'
import { quickSandbox } from './quick-sandbox.ts'
import { shareHttp } from './shared-http.ts'
import { unconnectedSii } from './unconnected-sii.ts'
import { tellJobEnd, until } from './until.ts'

export interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  readonly body: any
  readonly text: string
  /** The body as it was sent, for files. */
  readonly bytes: Buffer
}

export interface Request {
  readonly key?: string
  readonly session?: string
  readonly empresa?: string
  readonly mode?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent as it is, for what JSON.stringify would not write. */
  readonly raw?: string | Buffer
}

export interface WorldOptions {
  /** Another server than the one of the run, for tests that break theirs. Its template must be prepared. */
  readonly postgres_url?: string
  /** The database as the service sees it, for tests that step in between its statements. */
  readonly database?: (db: Database) => Database
  readonly operations?: readonly Operation[]
  readonly jobs?: readonly HandledJob[]
  /** The SII of live mode; one that keeps something in the database is made over it. */
  readonly live_sii?: Sii | ((parts: { readonly sql: Sql; readonly steady: Sql; readonly vault: Vault }) => Sii)
  /** The sandbox as this process sees it, for tests in which it falters. */
  readonly test_sii?: (sandbox: Sii) => Sii
  /** Its sandbox decides at once, for tests that are not about the half seconds it takes; `settled` waits for none then. */
  readonly quick?: boolean
  readonly live_bank?: Bank
  /** The bank of the sandbox, for tests in which it falters. */
  readonly test_bank?: (sandbox: Bank) => Bank
  /** Takes each letter instead of keeping it. */
  readonly mail?: Mail
  /** Where webhooks go; by default to real servers, on this machine too. */
  readonly webhooks?: WebhookSender
  readonly passwords?: Passwords
  readonly printer?: Omit<Printer, 'measureLogo'>
  readonly signing?: Signing
  readonly inspection?: Inspection
  readonly statements?: Statements
  readonly operator_secret?: string
  /** Set false where a test needs the real limits; otherwise each call has room. */
  readonly unlimited?: boolean
  readonly runs_jobs?: boolean
  /** In the place of the one that the tests have. */
  readonly master_keys?: MasterKeys
  /** Serves https instead of http. */
  readonly tls?: AppParts['tls']
  /** Where it can be found, for tests that listen on a port. */
  readonly public_url?: string
  /** Another process over the database of an open world. */
  readonly beside?: World
  /** Its database outlives it, for a world that comes after. */
  readonly keeps_database?: boolean
  readonly plain?: (
    db: Database,
    parts: Pick<AppParts, 'ports' | 'limiter' | 'log'> & Pick<App, 'transactor'>,
  ) => readonly PlainRoute[]
  readonly onAnswer?: AppParts['onAnswer']
  readonly onRun?: AppParts['onRun']
}

/** Nobody guesses at the accounts of tests: where somebody might, each hash takes tens of milliseconds. */
export const CHEAP_PASSWORDS = argon2Passwords({ memory_kib: 8, passes: 1 })

export const OPERATOR_SECRET = 'operator-secret-of-the-tests'
export const OPERATOR_EMAIL = 'operador@timbre.test'

/** What this worker has told the tally already. */
const told = new Set<string>()

/** A running service with a database of its own. Only ports are replaced: mail is kept, the SII is the sandbox. */
export class World {
  readonly url: string
  readonly db: Database
  readonly app: App
  readonly letters: Letter[]
  readonly log_lines: string[]
  readonly operations: readonly Operation[]
  readonly quick: boolean
  readonly #folder: string
  readonly #close: () => Promise<void>

  constructor(
    parts: Pick<World, 'url' | 'db' | 'app' | 'letters' | 'log_lines' | 'operations' | 'quick'> & {
      folder: string
    },
    close: () => Promise<void>,
  ) {
    this.url = parts.url
    this.db = parts.db
    this.app = parts.app
    this.letters = parts.letters
    this.log_lines = parts.log_lines
    this.operations = parts.operations
    this.quick = parts.quick
    this.#folder = parts.folder
    this.#close = close
  }

  async call(method: string, path: string, request: Request = {}): Promise<Sent> {
    const headers: Record<string, string> = { ...request.headers }
    const bearer = request.key ?? request.session
    if (bearer) headers.authorization = `Bearer ${bearer}`
    if (request.empresa) headers['svc-empresa'] = request.empresa
    if (request.mode) headers['svc-mode'] = request.mode
    const payload = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    if (payload !== undefined && !headers['content-type']) headers['content-type'] = 'application/json'
    const answer = await this.app.http.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(payload !== undefined && { payload }),
    })
    const json = String(answer.headers['content-type'] ?? '').startsWith('application/json')
    const body = json && answer.payload !== '' ? JSON.parse(answer.payload) : null
    const sent = {
      status: answer.statusCode,
      headers: answer.headers as Sent['headers'],
      body,
      text: answer.payload,
      bytes: answer.rawPayload,
    }
    const raised = checkAnswer(this.operations, method, path, sent)
    if (raised && !told.has(raised)) {
      told.add(raised)
      appendFileSync(inject('raisedFile'), `${raised}\n`)
    }
    return sent
  }

  get = (path: string, request?: Request) => this.call('GET', path, request)
  post = (path: string, request?: Request) => this.call('POST', path, request)
  patch = (path: string, request?: Request) => this.call('PATCH', path, request)
  delete = (path: string, request?: Request) => this.call('DELETE', path, request)

  /** An account as registration leaves it, without the cost of hashing a password. */
  async account(options: { verified?: boolean; plan?: string; unproven_empresas?: null } = {}): Promise<string> {
    const id = newId('account')
    const now = new Date(systemNow())
    const verified = options.verified === false ? null : now
    await this.db.sql`
      insert into account (id, email, name, plan, password_hash, email_verified_at, unproven_empresas, created_at)
      values (${id}, ${`${randomUUID()}@example.cl`}, 'Prueba', ${options.plan ?? 'starter'}, 'none', ${verified},
        ${options.unproven_empresas === null ? null : 1_000}, ${now})`
    return id
  }

  async key(
    account_id: string,
    options: { mode?: Mode; scopes?: readonly Scope[]; empresas?: readonly string[]; name?: string } = {},
  ): Promise<string> {
    const { secret } = await makeApiKey(this.db.sql, {
      account_id,
      name: options.name ?? 'prueba',
      mode: options.mode ?? 'test',
      scopes: options.scopes ?? COLD_START_SCOPES,
      empresas: options.empresas ?? ['*'],
      now: new Date(systemNow()),
    })
    return secret
  }

  session(account_id: string): Promise<string> {
    return this.sessions.open(this.db.sql, account_id)
  }

  readonly sessions = openSessions(oneKey(MASTER_KEY))

  /** Waits until it is so. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    await until(String(isSo), isSo)
  }

  /** Names of the files kept for artifacts. A folder that is being deleted while it is read is read again. */
  async artifacts(): Promise<string[]> {
    try {
      return (await readdir(this.#folder, { recursive: true })).filter((name) => name.endsWith('.pdf'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(this.#folder)) throw error
      return this.artifacts()
    }
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** Tests have no name server: whoever receives in a test has an address on loopback, and a name is never reached. */
const resolveNobody = async (name: string): Promise<never> => {
  throw new Error(`no test looks up ${name}`)
}

/** One for all worlds of a worker: a thread loads the engine before it prints. */
const sharedPrinter = threadPrinter({ threads: 1 })

let folio_key: Promise<KeyObject> | undefined
/** Worlds are granted thousands of CAF: their keys would take half a minute of a run. */
const sharedFolioKey = () => {
  folio_key ??= newRsaKey(512)
  return folio_key
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const server_url = options.postgres_url ?? inject('postgresUrl')
  const lent = options.beside
    ? { url: options.beside.url, db: poolOf(options.beside.url) }
    : await databaseFromTemplate(server_url)
  const { url, db: own } = lent
  const db = options.database?.(own) ?? own
  const letters: Letter[] = []
  const log_lines: string[] = []
  const local = localRateLimiter()
  const roomy = {
    ...local,
    take: (windows: Parameters<typeof local.take>[0]) =>
      local.take(windows.map((w) => ({ ...w, key: w.key + randomUUID() }))),
  }
  const operations = options.operations ?? OPERATIONS
  const webhooks = options.webhooks ?? httpWebhookSender({ allow_private: true, resolve: resolveNobody })
  const master = options.master_keys ?? oneKey(MASTER_KEY)
  const vault = localVault(master.keys, master.current)
  const { quick = false } = options
  const unhurried = sandboxSii({ sql: db.sql, steady: db.steady.sql, vault, newFolioKey: sharedFolioKey })
  const sandbox = quick ? quickSandbox(unhurried) : unhurried
  const { live_sii = unconnectedSii() } = options
  const live = typeof live_sii === 'function' ? live_sii({ sql: db.sql, steady: db.steady.sql, vault }) : live_sii
  const bank = sandboxBank({ sql: db.sql })
  const public_url = options.public_url ?? 'http://timbre.test'
  const folder = await mkdtemp(join(tmpdir(), 'timbre-artifacts-'))
  const onTrouble = (error: unknown) => void log_lines.push(String(error))
  const printer = { measureLogo: sharedPrinter.measureLogo, ...(options.printer ?? sharedPrinter) }
  const ports: Ports = {
    mail: options.mail ?? { describe: 'kept in memory', send: async (letter) => void letters.push(letter) },
    vault,
    passwords: options.passwords ?? CHEAP_PASSWORDS,
    sessions: openSessions(master),
    cursors: openCursorSeal(master),
    sii: { test: options.test_sii?.(sandbox) ?? sandbox, live },
    weather: openWeatherStation(db.sql),
    bank: { test: options.test_bank?.(bank) ?? bank, live: options.live_bank ?? unconnectedBank() },
    webhooks,
    artifacts: diskArtifacts({ folder, onTrouble }),
    printer,
    // A thread loads the engine at its first order, in each of two hundred files; threads have tests of their own.
    signing: options.signing ?? { sign: async (order) => signDocuments(order), close: async () => undefined },
    statements: options.statements ?? {
      inspect: async (_account_id, file, about) => (await inspectStatement(Buffer.from(file), about)) as never,
      read: (_account_id, file, about) => readMovements(Buffer.from(file), about),
      close: async () => undefined,
    },
    certificates: {
      open: async (_account_id, file, password, at) => openPfx(file, password, at),
      close: async () => undefined,
    },
    inspection: options.inspection ?? { inspect: inspectFile, inspectMail, close: async () => undefined },
  }
  const limiter = options.unlimited === false ? local : roomy
  const log = openLog('info', { write: (line) => void log_lines.push(line) })
  const app = await openApp({
    db,
    ports,
    addresses: {
      public_url,
      base_url: `${public_url}/v1`,
      docs_url: `${public_url}/docs`,
      public_link_base: public_url,
      reception_domain: 'recepcion.timbre.test',
      operator_email: OPERATOR_EMAIL,
    },
    limiter,
    operations,
    jobs: [...JOBS, ...(options.jobs ?? [])],
    plain: (transactor) => options.plain?.(db, { ports, limiter, log, transactor }) ?? [],
    log,
    operator_secret: options.operator_secret ?? OPERATOR_SECRET,
    trust_proxy: false,
    tls: options.tls ?? null,
    runs_jobs: options.runs_jobs ?? true,
    openHttp: shareHttp,
    ...(options.onAnswer && { onAnswer: options.onAnswer }),
    onRun: (fact) => {
      options.onRun?.(fact)
      tellJobEnd()
    },
  })
  await app.http.ready()
  return new World({ url, db, app, letters, log_lines, operations, quick, folder }, async () => {
    await app.close()
    await webhooks.close()
    await rm(folder, { recursive: true, force: true })
    await local.close()
    if (options.beside || options.keeps_database) await own.end()
    else await giveBack(server_url, lent)
  })
}

// No test names a RUT of this span; a step that shares no factor with its width comes by each number once.
const [FIRST_RUT, RUTS, STEP] = [80_000_000, 8_000_000, 3_141_593]
let drawn = randomInt(RUTS)

/** A valid RUT that no other of this process is, nor any that a test writes out: in a database two never meet. */
export function randomRut(): string {
  drawn = (drawn + STEP) % RUTS
  const number = FIRST_RUT + drawn
  return formatRut({ number, check_digit: checkDigit(number) })
}
