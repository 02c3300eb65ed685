import { join } from 'node:path'
import { CliError } from '../exit.ts'
import { configFolder } from './env.ts'
import { findKeychain, keychainOfPlatform } from './keychain.ts'
import { readPrivately, writePrivately } from './private-file.ts'

/** Who and where one works as, by a name of one's own. */
export interface Profile {
  readonly url: string
  readonly empresa?: string
  /** Present where no keychain took it. */
  readonly key?: string
  readonly key_in?: 'file' | 'keychain'
  /** Signs what `listen` forwards, the same every time, so that a receiver is configured once. */
  readonly webhook_secret?: string
}

interface ConfigFile {
  readonly version: 1
  readonly profiles: Readonly<Record<string, Profile>>
}

const REMEDY = 'Free some space or mend the permissions of the folder, then try again.'
const PROFILE_NAME = /^[\w.-]{1,60}$/

export const configFile = (): string => join(configFolder(), 'config.json')

function readConfig(warn: (text: string) => void): ConfigFile {
  const file = configFile()
  const text = readPrivately(file, () =>
    warn(`${file} could be read by others: it is 0600 now. Roll the key if that worries you.`),
  )
  if (text === null) return { version: 1, profiles: {} }
  try {
    const read = JSON.parse(text) as ConfigFile
    if (read.version === 1 && typeof read.profiles === 'object' && read.profiles !== null) return read
  } catch {
    // Told below, as any other file that is not ours.
  }
  throw new CliError(
    'file',
    `${file} is not a configuration of this program.`,
    'Mend it, or move it away and run `timbre login`.',
  )
}

export function requireProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name
  throw new CliError('usage', `"${name}" is no name for a profile.`, 'Use letters, digits, dots and hyphens.')
}

export function loadProfile(name: string, warn: (text: string) => void): Profile | null {
  const { profiles } = readConfig(warn)
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null
}

/** The key of a profile, from wherever it rests. */
export function keyOf(name: string, profile: Profile): string | null {
  if (profile.key_in !== 'keychain') return profile.key ?? null
  const key = keychainOfPlatform().load(name)
  if (key) return key
  throw new CliError(
    'auth',
    `The keychain did not give the key of profile "${name}".`,
    'Unlock it, or run `timbre login` again.',
  )
}

export function updateProfile(name: string, change: Partial<Profile>, warn: (text: string) => void): void {
  const config = readConfig(warn)
  const before = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined
  const profiles = { ...config.profiles, [name]: { url: '', ...before, ...change } }
  writePrivately(configFile(), `${JSON.stringify({ version: 1, profiles }, null, 2)}\n`, REMEDY)
}

/** Asked before a key is made: one that cannot be kept would be lost, and its account with it. */
export function requireWritableConfig(warn: (text: string) => void): void {
  writePrivately(configFile(), `${JSON.stringify(readConfig(warn), null, 2)}\n`, REMEDY)
}

/** Stores a key, in the keychain where there is one; says where. */
export function storeKey(
  name: string,
  profile: Omit<Profile, 'key' | 'key_in'>,
  key: string,
  warn: (text: string) => void,
): string {
  const keychain = findKeychain()
  if (keychain?.store(name, key)) {
    const config = readConfig(warn)
    const { key: _old, ...kept } = config.profiles[name] ?? { url: '' }
    const profiles = { ...config.profiles, [name]: { ...kept, ...profile, key_in: 'keychain' } }
    writePrivately(configFile(), `${JSON.stringify({ version: 1, profiles }, null, 2)}\n`, REMEDY)
    return keychain.name
  }
  updateProfile(name, { ...profile, key, key_in: 'file' }, warn)
  return `${configFile()} (0600)`
}

/** Takes a profile and its key away. False when there was none. */
export function forgetProfile(name: string, warn: (text: string) => void): boolean {
  const { profiles } = readConfig(warn)
  if (!Object.hasOwn(profiles, name)) return false
  const { [name]: gone, ...kept } = profiles
  if (gone?.key_in === 'keychain') keychainOfPlatform().forget(name)
  writePrivately(configFile(), `${JSON.stringify({ version: 1, profiles: kept }, null, 2)}\n`, REMEDY)
  return true
}
