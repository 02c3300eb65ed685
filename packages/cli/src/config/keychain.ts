import { fromEnvironment, hasSessionBus } from './env.ts'

/** Where keys rest beside the file. Secrets go through stdin and stdout of its program, never through an argument. */
export interface Keychain {
  readonly name: string
  store(profile: string, secret: string): boolean
  load(profile: string): string | null
  forget(profile: string): void
}

function run(program: string, args: readonly string[], input = ''): { readonly ok: boolean; readonly text: string } {
  // Loaded here, not at the top: few runs ask a keychain, and every start would pay for the module.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 10_000 })
  return { ok: status === 0, text: (stdout ?? '').trim() }
}

const secretTool: Keychain = {
  name: 'the keyring of this desktop (secret-tool)',
  store: (profile, secret) =>
    run('secret-tool', ['store', '--label', `Timbre: ${profile}`, 'service', 'timbre', 'profile', profile], secret).ok,
  load: (profile) => {
    const { ok, text } = run('secret-tool', ['lookup', 'service', 'timbre', 'profile', profile])
    return ok && text ? text : null
  },
  forget: (profile) => void run('secret-tool', ['clear', 'service', 'timbre', 'profile', profile]),
}

const macKeychain: Keychain = {
  name: 'the keychain of macOS',
  // `-w SECRET` as an argument would stand in `ps`: the interactive form reads the whole command from stdin.
  store: (profile, secret) =>
    /^[\w.-]+$/.test(profile + secret) &&
    run('security', ['-i'], `add-generic-password -U -s timbre -a ${profile} -w ${secret}\n`).ok,
  load: (profile) => {
    const { ok, text } = run('security', ['find-generic-password', '-s', 'timbre', '-a', profile, '-w'])
    return ok && text ? text : null
  },
  forget: (profile) => void run('security', ['delete-generic-password', '-s', 'timbre', '-a', profile]),
}

/** The keychain of this machine, or null: then the 0600 file holds the key. */
export function findKeychain(): Keychain | null {
  if (fromEnvironment('TIMBRE_SECRETS') === 'file') return null
  if (process.platform === 'darwin') return macKeychain
  const there = process.platform === 'linux' && hasSessionBus() && run('secret-tool', ['--version']).ok
  return there ? secretTool : null
}

/** Reads one that an earlier run stored: no look whether it is there, which would cost a process at every start. */
export function keychainOfPlatform(): Keychain {
  return process.platform === 'darwin' ? macKeychain : secretTool
}
