import { resolve } from 'node:path'
import { isLoopback } from './kernel/loopback.ts'
import { StartRefused } from './kernel/start-refused.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly public_url: string
  readonly public_link_base: string
  readonly data_dir: string
  readonly database_url: string | null
  readonly database_pool: number
  readonly redis_url: string | null
  readonly operator_secret: string | null
  /** Where people reach whoever runs the service: it stands on pages, and letters to them go there. */
  readonly operator_email: string
  readonly master_key: string | null
  readonly sii: 'simulator' | 'certificacion' | 'produccion'
  /** The control address of a simulator that runs elsewhere; null: with SII=simulator one is started beside us. */
  readonly sii_simulator_url: string | null
  /** A PEM file, or a folder of certificates, of the CAs that vouch for suppliers; null: none is known. */
  readonly sii_ca_file: string | null
  readonly smtp_url: string | null
  readonly mail_from: string
  readonly reception_domain: string
  /** Port of the mail server for suppliers; null: there is none. */
  readonly reception_smtp_port: number | null
  readonly tls: { readonly cert_file: string; readonly key_file: string } | null
  readonly trust_proxy: boolean
  readonly role: 'all' | 'api' | 'worker'
  readonly metrics_port: number | null
  readonly log_level: string
  /**
   * Whether webhooks may go to private addresses. By default only where one process with a database of its own is the
   * whole service, on this machine for this machine. Processes that share a database must decide alike, the one that
   * takes an endpoint and the one that delivers to it: none of them guesses from its own address.
   */
  readonly webhooks_allow_private: boolean
  /** The provider of bank data in live mode; null: there is none, and connecting a bank is refused. */
  readonly fintoc: {
    readonly url: string
    readonly secret_key: string
    readonly public_key: string
    readonly webhook_secret: string | null
    readonly version: string | null
  } | null
}

/** A setting that cannot be right. The message is for the person at the terminal. */
export class ConfigError extends StartRefused {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

function numberOf(env: Environment, name: string, fallback: number, max: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new ConfigError(`${name} must be a number from 0 to ${max}.`)
  return value
}

function choiceOf<const T extends readonly string[]>(
  env: Environment,
  name: string,
  choices: T,
  fallback: T[number],
): T[number] {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  if (!choices.includes(text)) throw new ConfigError(`${name} must be one of ${choices.join(', ')}.`)
  return text
}

function textOf(env: Environment, name: string): string | null {
  const text = env[name]
  return text === undefined || text === '' ? null : text
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

function tlsOf(env: Environment): Config['tls'] {
  const cert_file = textOf(env, 'TLS_CERT_FILE')
  const key_file = textOf(env, 'TLS_KEY_FILE')
  if ((cert_file === null) !== (key_file === null)) {
    throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE go together: one is set and the other is not.')
  }
  return cert_file !== null && key_file !== null ? { cert_file, key_file } : null
}

/** The settings of the database, for a tool that needs nothing else of the service. */
export function readDatabaseConfig(env: Environment = process.env): Pick<Config, 'database_url' | 'data_dir'> {
  return { database_url: textOf(env, 'DATABASE_URL'), data_dir: resolve(textOf(env, 'DATA_DIR') ?? './data') }
}

function smtpUrlOf(env: Environment): string | null {
  const url = textOf(env, 'SMTP_URL')
  if (url !== null && !(/^smtps?:\/\//.test(url) && URL.canParse(url))) {
    throw new ConfigError('SMTP_URL must be smtp://user:password@host:port, or smtps:// for TLS from the first byte.')
  }
  return url
}

function allowPrivateOf(
  env: Environment,
  config: Pick<Config, 'host' | 'public_url' | 'trust_proxy' | 'role' | 'database_url'>,
): boolean {
  const { host, public_url, trust_proxy, role, database_url } = config
  const alone = role === 'all' && database_url === null
  const local = alone && isLoopback(host) && isLoopback(hostOf(public_url)) && !trust_proxy
  return choiceOf(env, 'WEBHOOKS_ALLOW_PRIVATE', ['0', '1'], local ? '1' : '0') === '1'
}

function fintocOf(env: Environment): Config['fintoc'] {
  const secret_key = textOf(env, 'FINTOC_SECRET_KEY')
  if (secret_key === null) return null
  const url = textOf(env, 'FINTOC_URL') ?? 'https://api.fintoc.com'
  if (!URL.canParse(url) || !(/^https:/.test(url) || (/^http:/.test(url) && isLoopback(hostOf(url))))) {
    throw new ConfigError('FINTOC_URL must be an https address: the secret key travels in every request to it.')
  }
  const public_key = textOf(env, 'FINTOC_PUBLIC_KEY')
  if (public_key === null) {
    throw new ConfigError('FINTOC_SECRET_KEY is set and FINTOC_PUBLIC_KEY is not: people link their bank with it.')
  }
  const [webhook_secret, version] = [textOf(env, 'FINTOC_WEBHOOK_SECRET'), textOf(env, 'FINTOC_VERSION')]
  return { url, secret_key, public_key, webhook_secret, version }
}

/** It hands out the authorities that live mode believes: nobody on a network may stand in its place. */
function simulatorUrlOf(env: Environment): string | null {
  const url = textOf(env, 'SII_SIMULATOR_URL')
  if (url === null) return null
  if (!URL.canParse(url) || !/^https?:/.test(url) || !isLoopback(hostOf(url))) {
    throw new ConfigError('SII_SIMULATOR_URL must be an address on this machine, such as http://127.0.0.1:7400.')
  }
  return withoutSlashes(url)
}

function operatorEmailOf(env: Environment, public_url: string): string {
  const email = textOf(env, 'OPERATOR_EMAIL') ?? `operador@${hostOf(public_url)}`
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(email)) throw new ConfigError('OPERATOR_EMAIL must be one e-mail address.')
  return email
}

function withoutSlashes(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '/') end--
  return text.slice(0, end)
}

/** Pages, discovery documents and the audience of tokens have fixed paths under one origin, spelt one way. */
function originOf(env: Environment, fallback: string): string {
  const text = textOf(env, 'PUBLIC_URL') ?? fallback
  const refused = (why: string) => new ConfigError(`PUBLIC_URL must be an address such as ${why}`)
  if (!/^https?:/i.test(text) || !URL.canParse(text)) throw refused('https://api.example.cl.')
  const { href, origin } = new URL(withoutSlashes(text))
  if (href !== `${origin}/`) throw refused(`${origin}, without a path: the service takes a whole host.`)
  return origin
}

/** Every environment variable, read once. */
export function readConfig(env: Environment = process.env): Config {
  const host = textOf(env, 'HOST') ?? '127.0.0.1'
  const port = numberOf(env, 'PORT', 3000, 65_535)
  const tls = tlsOf(env)
  const url_host = host.includes(':') ? `[${host}]` : host
  const public_url = originOf(env, `${tls ? 'https' : 'http'}://${url_host}:${port}`)
  const database_url = textOf(env, 'DATABASE_URL')
  const trust_proxy = choiceOf(env, 'TRUST_PROXY', ['0', '1'], '0') === '1'
  const role = choiceOf(env, 'ROLE', ['all', 'api', 'worker'], 'all')
  const config: Config = {
    host,
    port,
    public_url,
    public_link_base: withoutSlashes(textOf(env, 'PUBLIC_LINK_BASE') ?? public_url),
    data_dir: resolve(textOf(env, 'DATA_DIR') ?? './data'),
    database_url,
    database_pool: numberOf(env, 'DATABASE_POOL', 20, 500),
    redis_url: textOf(env, 'REDIS_URL'),
    operator_secret: textOf(env, 'OPERATOR_SECRET'),
    operator_email: operatorEmailOf(env, public_url),
    master_key: textOf(env, 'MASTER_KEY'),
    sii: choiceOf(
      env,
      'SII',
      ['simulator', 'certificacion', 'produccion'],
      database_url ? 'certificacion' : 'simulator',
    ),
    sii_simulator_url: simulatorUrlOf(env),
    sii_ca_file: textOf(env, 'SII_CA_FILE'),
    smtp_url: smtpUrlOf(env),
    mail_from: textOf(env, 'MAIL_FROM') ?? `Timbre <no-responder@${new URL(public_url).hostname}>`,
    reception_domain: (textOf(env, 'RECEPTION_DOMAIN') ?? 'recepcion.localhost').toLowerCase(),
    reception_smtp_port: env.RECEPTION_SMTP_PORT ? numberOf(env, 'RECEPTION_SMTP_PORT', 0, 65_535) : null,
    tls,
    trust_proxy,
    role,
    metrics_port: env.METRICS_PORT ? numberOf(env, 'METRICS_PORT', 0, 65_535) : null,
    fintoc: fintocOf(env),
    webhooks_allow_private: allowPrivateOf(env, { host, public_url, trust_proxy, role, database_url }),
    log_level: choiceOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  }
  refuseUnsafe(config)
  return config
}

/** Secrets must not cross a network in the clear, and custody must not rest on a key nobody kept. */
function refuseUnsafe(config: Config): void {
  if (!isLoopback(config.host) && !config.tls && !config.trust_proxy) {
    throw new ConfigError(
      `HOST=${config.host} would serve plain HTTP to a network. Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=1 ` +
        'when a proxy in front ends TLS, or leave HOST on 127.0.0.1.',
    )
  }
  if (config.database_url && !config.master_key) {
    throw new ConfigError(
      'DATABASE_URL is set and MASTER_KEY is not. Give 32 random bytes in base64, the same for every process, ' +
        'for example from: openssl rand -base64 32',
    )
  }
  if (config.sii === 'simulator' && config.database_url && config.sii_simulator_url === null) {
    throw new ConfigError(
      'SII=simulator with DATABASE_URL needs SII_SIMULATOR_URL: processes that share a database must share one simulator, ' +
        'for example http://127.0.0.1:7400 of npm run simulator.',
    )
  }
  if (config.operator_secret !== null && config.operator_secret.length < 16) {
    throw new ConfigError('OPERATOR_SECRET must have 16 characters or more.')
  }
}
