import { randomBytes } from 'node:crypto'
import { KEY_SCOPES, type Registered, type Wrapped } from '../api/account.ts'
import { openClient } from '../api/connect.ts'
import type { Context } from '../command.ts'
import { fromEnvironment } from '../config/env.ts'
import { requireWritableConfig, storeKey } from '../config/profiles.ts'
import { CliError } from '../exit.ts'
import { inventRut } from '../invent-rut.ts'
import { plain } from '../output.ts'
import { ask, askSecret } from '../prompt.ts'

const RUT_TAKEN = 'timbre api POST /empresas -d \'{"rut": "…", "legal_name": "…"}\''

export async function run(ctx: Context): Promise<void> {
  const { options, out } = ctx
  const settings = ctx.settings()
  if (settings.saved?.key_in) {
    const remedy = 'Name another with --profile, or run `timbre logout` first.'
    throw new CliError('usage', `Profile "${settings.profile}" has a key already.`, remedy)
  }
  requireWritableConfig((text) => out.note(text))
  const email = options.text('email') ?? (await ask(ctx, 'E-mail'))
  const password = fromEnvironment('TIMBRE_PASSWORD') ?? (await askSecret(ctx, 'Password (10 characters or more)'))
  const empresa = {
    rut: options.text('rut') ?? inventRut(randomBytes(4).readUInt32BE()),
    legal_name: options.text('name') ?? 'Comercial Quillay SpA',
  }
  const client = await openClient(ctx, { url: settings.url, key: null })
  const body = { email, password, bootstrap: { sandbox_key: { name: 'timbre cli', scopes: KEY_SCOPES }, empresa } }
  const { data } = await client.call<Wrapped<Registered>>('POST', '/account/register', { body })
  const { api_key, empresa: made, empresa_error } = data
  if (!api_key) throw new CliError('failure', 'The account was opened and came without a key.', 'Run `timbre login`.')
  const profile = { url: settings.url, ...(made && { empresa: made.rut }) }
  const where = storeKey(settings.profile, profile, api_key.secret, (text) => out.note(text))
  const value = {
    profile: settings.profile,
    url: settings.url,
    email,
    api_key: api_key.id,
    empresa: made ?? null,
    key_in: where,
  }
  out.result(value, () =>
    [
      `${out.paint('green', 'Done.')} ${email} has a sandbox at ${settings.url}.`,
      made
        ? `Empresa ${plain(made.rut)}, ${empresa.legal_name}, can issue right away.`
        : `Without an empresa: ${plain(empresa_error?.message ?? '')} Make one: ${RUT_TAKEN}`,
      `The key is in ${where}; profile "${settings.profile}" uses it.`,
      '',
      `Next: ${out.paint('bold', "timbre documents create --item 'Café @ 1990'")}`,
    ].join('\n'),
  )
}
