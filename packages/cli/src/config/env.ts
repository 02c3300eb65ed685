import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The one place that reads the environment. Each name, what it is for; the README lists them from here. */
export const ENVIRONMENT = {
  TIMBRE_KEY:
    'The API key. It wins over the profile; a flag for it does not exist, as `ps` and the history would show it.',
  TIMBRE_URL: 'Where the API is, such as `https://api.example.cl`. It wins over the profile.',
  TIMBRE_EMPRESA: 'The RUT of the empresa to act for. It wins over the profile.',
  TIMBRE_PROFILE: 'The profile to use; `default` without it.',
  TIMBRE_PASSWORD: 'The password that `init`, `login` and `pfx show` would ask for.',
  TIMBRE_SECRETS: '`file` keeps keys in the 0600 file even where a keychain is there.',
  TIMBRE_SCHEMAS: 'A folder with the XSD files of the SII, for `dte verify`.',
  NO_COLOR: 'Any value: no colours.',
} as const

export type EnvironmentName = keyof typeof ENVIRONMENT

export function fromEnvironment(name: EnvironmentName): string | undefined {
  return process.env[name] || undefined
}

/** A base folder of the XDG specification, which says that a relative path counts as none. */
function xdg(name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', usual: string): string {
  const set = process.env[name]
  return join(set && isAbsolute(set) ? set : join(homedir(), usual), 'timbre')
}

export const configFolder = (): string => xdg('XDG_CONFIG_HOME', '.config')
export const stateFolder = (): string => xdg('XDG_STATE_HOME', '.local/state')

/** Whether a desktop session is there for `secret-tool` to speak to; without one it waits for a minute and fails. */
export const hasSessionBus = (): boolean => Boolean(process.env.DBUS_SESSION_BUS_ADDRESS)
export const isDumbTerminal = (): boolean => process.env.TERM === 'dumb'
