import { CliError } from '../exit.ts'
import { fromEnvironment } from './env.ts'
import { keyOf, loadProfile, type Profile, requireProfileName } from './profiles.ts'

export const DEFAULT_URL = 'http://127.0.0.1:3000'

/** What a run works with: flags over the environment over the profile. */
export interface Settings {
  readonly profile: string
  readonly saved: Profile | null
  /** Without `/v1`: the address of the service. */
  readonly url: string
  readonly empresa: string | undefined
  /** Read when asked for: a keychain may ask its owner. */
  key(): string | null
}

interface Given {
  readonly profile: string | undefined
  readonly url: string | undefined
  readonly empresa: string | undefined
}

export function openSettings(given: Given, warn: (text: string) => void): Settings {
  const profile = requireProfileName(given.profile ?? fromEnvironment('TIMBRE_PROFILE') ?? 'default')
  const saved = loadProfile(profile, warn)
  const url = addressOf(given.url ?? fromEnvironment('TIMBRE_URL') ?? (saved?.url || DEFAULT_URL))
  return {
    profile,
    saved,
    url,
    empresa: given.empresa ?? fromEnvironment('TIMBRE_EMPRESA') ?? saved?.empresa,
    key: () => fromEnvironment('TIMBRE_KEY') ?? (saved && keyOf(profile, saved)),
  }
}

/** The guides write the address with `/v1` in some places: both are understood. */
function addressOf(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new CliError('usage', `"${text}" is no address.`, 'Write it whole, such as https://api.example.cl.')
  }
  if (!/^https?:$/.test(url.protocol)) throw new CliError('usage', `"${text}" is neither http nor https.`)
  if (url.username || url.password) {
    throw new CliError('usage', 'The address holds a user or a password.', 'Leave them out: the key says who you are.')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`
}

export function requireKey(settings: Settings): string {
  const key = settings.key()
  if (key) return key
  throw new CliError(
    'auth',
    `There is no key: neither TIMBRE_KEY nor profile "${settings.profile}" has one.`,
    'Run `timbre init` for a new sandbox, `timbre login` for an account you have, or set TIMBRE_KEY.',
  )
}
