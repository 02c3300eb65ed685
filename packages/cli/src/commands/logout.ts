import type { Context } from '../command.ts'
import { forgetProfile } from '../config/profiles.ts'
import { CliError } from '../exit.ts'

export async function run({ settings, out }: Context): Promise<void> {
  const { profile } = settings()
  if (!forgetProfile(profile, (text) => out.note(text))) {
    throw new CliError('usage', `There is no profile "${profile}".`)
  }
  const text = `Profile "${profile}" is forgotten on this machine. Its key still works: revoke it on the dashboard if it is not needed.`
  out.result({ profile, forgotten: true }, text)
}
