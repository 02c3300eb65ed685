import { hostname } from 'node:os'
import { KEY_SCOPES, type Wrapped } from '../api/account.ts'
import type { Mode } from '../api/api.ts'
import { modeOf, openClient } from '../api/connect.ts'
import type { Context } from '../command.ts'
import { fromEnvironment } from '../config/env.ts'
import { requireWritableConfig, storeKey } from '../config/profiles.ts'
import { CliError } from '../exit.ts'
import { plain } from '../output.ts'
import { ask, askSecret } from '../prompt.ts'

interface Kept {
  readonly key: string
  readonly empresas: readonly string[]
}

type LogIn = (email: string, password: string) => Promise<string>

export async function run(ctx: Context): Promise<void> {
  const { out } = ctx
  const settings = ctx.settings()
  requireWritableConfig((text) => out.note(text))
  const given = fromEnvironment('TIMBRE_KEY')
  const { key, empresas } = given ? { key: given, empresas: await empresasOf(ctx, given) } : await mint(ctx)
  const empresa = ctx.options.text('empresa') ?? (empresas.length === 1 ? empresas[0] : undefined)
  const profile = { url: settings.url, ...(empresa && { empresa }) }
  const where = storeKey(settings.profile, profile, key, (text) => out.note(text))
  const mode = modeOf(key)
  out.result({ profile: settings.profile, url: settings.url, mode, empresa: empresa ?? null, key_in: where }, () =>
    [
      `${out.paint('green', 'Logged in.')} Profile "${settings.profile}" works in ${mode} mode at ${settings.url}.`,
      empresa
        ? `It acts for empresa ${plain(empresa)}.`
        : `It reaches ${empresas.length} empresas: name one with --empresa or TIMBRE_EMPRESA.`,
      `The key is in ${where}.`,
    ].join('\n'),
  )
}

async function empresasOf(ctx: Context, key: string): Promise<readonly string[]> {
  modeOf(key)
  const client = await openClient(ctx, { url: ctx.settings().url, key })
  const { data } = await client.call<{ data: { rut: string }[] }>('GET', '/empresas', { query: { limit: 2 } })
  return data.map(({ rut }) => rut)
}

/** A session for as long as it takes to make a key: the key stays, the session ends. */
async function mint(ctx: Context): Promise<Kept> {
  const { options } = ctx
  const { url } = ctx.settings()
  const logIn: LogIn = async (email, password) => {
    const client = await openClient(ctx, { url, key: null })
    const { data } = await client.call<Wrapped<{ token: string }>>('POST', '/account/login', {
      body: { email, password },
    })
    return data.token
  }
  const token = options.flag('browser')
    ? await (await import('../login-page.ts')).logInByBrowser(ctx, logIn)
    : await logIn(options.text('email') ?? (await ask(ctx, 'E-mail')), await passwordOf(ctx))
  const mode: Mode = options.flag('live') ? 'live' : 'test'
  const session = await openClient(ctx, { url, key: token, mode })
  const body = { name: `timbre cli on ${hostname().slice(0, 60)}`.replace(/[^\x20-\x7e]/g, ''), scopes: KEY_SCOPES }
  const { secret } = await session.call<{ secret: string }>('POST', '/api_keys', { body })
  if (!secret) throw new CliError('failure', 'The key came without its secret.', 'Try once more.')
  const { data } = await session.call<{ data: { rut: string }[] }>('GET', '/empresas', { query: { limit: 2 } })
  await session.call('POST', '/account/logout')
  return { key: secret, empresas: data.map(({ rut }) => rut) }
}

async function passwordOf(ctx: Context): Promise<string> {
  return fromEnvironment('TIMBRE_PASSWORD') ?? (await askSecret(ctx, 'Password'))
}
