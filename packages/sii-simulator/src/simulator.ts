import { createPublicKey } from 'node:crypto'
import { type Authority, CAF_IDK, openAuthority } from './authority/authority.ts'
import { certificatesIn } from './authority/trust.ts'
import { type CallLog, openCallLog } from './call-log.ts'
import { type Clock, type KeptClock, openClock } from './clock.ts'
import { openState, type State } from './state/state.ts'
import { openVerifier } from './verify/open.ts'
import type { Verifier } from './verify/verdict.ts'
import { openScripts, type Scripts } from './weather/scripts.ts'

export type SimulatorOptions = {
  /** Folder of the state and of the keys; null keeps nothing after the end. */
  data: string | null
  /** The machine's clock, in milliseconds; tests give their own. */
  now?: () => number
  authority?: Authority
  /** Authorities besides the simulator's own whose certificates are good, PEM. */
  trust?: readonly string[]
  /** Where result e-mails are handed over, `smtp://host:port`. */
  smtp?: string | null
}

/** How the simulator behaves as a whole; the control API changes it and it is kept. */
export type Settings = {
  /** Any RUT with a good check digit is a taxpayer that may emit every tipo. */
  open_registration: boolean
  /** From upload to verdict. */
  verdict_delay_ms: number
  /** Live portal sessions that one RUT may have. */
  session_cap: number
  /** The most folios of one request, whatever the ration allows; null: the ration alone. */
  folio_cap: number | null
  /** From what is declared in a certification to the end of its review. */
  review_delay_ms: number
  /** From the declaration of compliance to the resolution. */
  resolution_delay_ms: number
}

export const DEFAULT_SETTINGS: Settings = {
  open_registration: true,
  verdict_delay_ms: 2_000,
  session_cap: 10,
  folio_cap: null,
  review_delay_ms: 5_000,
  resolution_delay_ms: 10_000,
}

/** What every door is given. */
export type Simulator = {
  state: State
  clock: Clock
  authority: Authority
  scripts: Scripts
  calls: CallLog
  options: SimulatorOptions
  /** Where it answers, once it listens. */
  addresses: { http: string; https: string | null } | null
  /** PEM of each authority whose certificates are good. */
  trusted: readonly string[]
  /** Opened when the first verdict is due: it needs the key of CAFs, which may still be in the making. */
  verifier(): Promise<Verifier>
  settings(): Settings
  change(settings: Partial<Settings>): Settings
  close(): Promise<void>
}

export function openSimulator(options: SimulatorOptions): Simulator {
  const state = openState(options.data)
  const authority = options.authority ?? openAuthority(options.data)
  const clock = openClock(options.now ?? Date.now, {
    load: () => (state.settings.get('clock') as KeptClock | undefined) ?? { offset: 0, frozen_at: null },
    save: (kept) => state.settings.put('clock', kept),
  })
  const settings = (): Settings => ({
    ...DEFAULT_SETTINGS,
    ...(state.settings.get('settings') as Partial<Settings> | undefined),
  })
  const trusted = [authority.ca.pem, ...(options.trust ?? []).flatMap(certificatesIn)]
  let verifier: Promise<Verifier> | undefined
  return {
    addresses: null,
    state,
    clock,
    authority,
    scripts: openScripts(state),
    calls: openCallLog(),
    options,
    trusted,
    verifier() {
      verifier ??= authority.cafKey().then((key) =>
        openVerifier({
          trusted_ca: trusted,
          caf_keys: new Map(Object.values(CAF_IDK).map((idk) => [String(idk), createPublicKey(key)])),
        }),
      )
      return verifier
    },
    settings,
    change(changed) {
      const next = { ...settings(), ...changed }
      state.settings.put('settings', next)
      return next
    },
    close: () => state.close(),
  }
}
