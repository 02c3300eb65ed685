import type { CaBundle } from '@timbre/dte'
import { SII_HOSTS, simulatedHosts } from '@timbre/sii'
import type { Identities } from './adapters/sii/identity.ts'
import { type LiveSiiParts, liveSii } from './adapters/sii/live.ts'
import { HOUR_SECONDS } from './catalog/time.ts'
import type { Config } from './config.ts'
import { openIdentity, recordProven } from './domain/platform/certificate/lookup.ts'
import { openSfgCredential } from './domain/platform/sfg-credential/lookup.ts'
import { systemNow } from './kernel/clock.ts'
import type { Sql } from './kernel/db.ts'
import type { Vault } from './kernel/vault.ts'
import type { Simulator } from './simulator.ts'

interface ConnectParts extends Pick<LiveSiiParts, 'sql' | 'steady' | 'vault' | 'onCall'> {
  readonly authorities: CaBundle
  /** Set where the SII is simulated. */
  readonly simulator: Pick<Simulator, 'url' | 'ca' | 'caf_keys'> | null
}

const MOST_TOLD = 10_000

/** The person who acts for an empresa, out of custody, in the form in which the protocols need them. */
export function custodyIdentities(sql: Sql, vault: Vault): Identities {
  /** When it was last said of each person and empresa: a process does not write it with every document. */
  const told = new Map<string, number>()
  return {
    async tellProven(empresa, { fingerprint }) {
      const name = `${empresa.empresa_id} ${fingerprint}`
      if (systemNow() < (told.get(name) ?? 0) + HOUR_SECONDS * 1000) return
      await recordProven(sql, empresa, fingerprint)
      if (told.size >= MOST_TOLD) told.clear()
      told.set(name, systemNow())
    },
    async identityOf(empresa) {
      const opened = await openIdentity(sql, vault, empresa)
      if (!opened) return null
      const { holder_rut: rut, fingerprint_sha256: fingerprint, signer, tls } = opened
      return { rut, fingerprint, signer, tls }
    },
    sfgCredentialOf: (empresa) => openSfgCredential(sql, vault, empresa),
  }
}

/** The SII of live mode: the real one in an environment, or a simulator with authorities of its own. */
export async function connectSii(
  { sii }: Pick<Config, 'sii'>,
  { sql, steady, vault, authorities, simulator, onCall }: ConnectParts,
): Promise<ReturnType<typeof liveSii>> {
  const { bundleOf, readCaBundle, SII_KEYS } = await import('@timbre/dte/emission')
  const common = { sql, steady, vault, onCall, ...custodyIdentities(steady, vault) }
  if (!simulator) {
    const only = sii === 'certificacion' ? ({ only: 'certificacion' } as const) : {}
    return liveSii({
      ...common,
      ...only,
      tax_effect: sii === 'produccion',
      hosts: SII_HOSTS,
      caf_keys: SII_KEYS,
      authorities,
    })
  }
  const own = readCaBundle(simulator.ca)
  if (!own.ok) throw new Error(`the CA of the simulator cannot be read: ${own.refusal.message}`)
  return liveSii({
    ...common,
    tax_effect: false,
    hosts: simulatedHosts(simulator.url),
    ca: simulator.ca,
    caf_keys: simulator.caf_keys,
    authorities: bundleOf([...own.value.certificates, ...authorities.certificates]),
  })
}
