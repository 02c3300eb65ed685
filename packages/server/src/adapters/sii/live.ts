import type { CaBundle, SiiKeys } from '@timbre/dte'
import { type CallFact, openSiiClient, type SiiClient, type SiiClientOptions } from '@timbre/sii'
import type { Sql } from '../../kernel/db.ts'
import type { Vault } from '../../kernel/vault.ts'
import { type Ambiente, SignerMissing, type Sii } from '../../ports/sii.ts'
import type { SiiCall } from '../../ports/sii-weather.ts'
import { liveCertification } from './certification.ts'
import { liveCesiones } from './cesiones.ts'
import { liveClaims } from './claims.ts'
import { liveEmission } from './emission.ts'
import { liveF29 } from './f29.ts'
import { liveFolios } from './folios.ts'
import type { AmbientePolicy, Identities } from './identity.ts'
import { livePortal } from './portal.ts'
import { liveRcv } from './rcv.ts'
import { realmOf } from './realm.ts'
import { sharedSessions } from './sessions.ts'
import { liveTaxpayer } from './taxpayer.ts'
import { sharedTokens } from './tokens.ts'
import { sharedTurns } from './turns.ts'
import { reaching } from './unreachable.ts'

export interface LiveSiiParts extends Identities, Pick<SiiClientOptions, 'hosts' | 'ca' | 'limits' | 'sleep' | 'now'> {
  readonly sql: Sql
  /** For what is asked about each envelope, by its key: on connections that plan it once, as its documents are. */
  readonly steady: Sql
  readonly vault: Vault
  /** Whose CAFs are believed, by the number of the key: the SII's, or a simulator's. */
  readonly caf_keys: SiiKeys
  readonly authorities: CaBundle
  /** Whether this is the SII's production. */
  readonly tax_effect: boolean
  /** Against certification everything is asked there. */
  readonly only?: Ambiente
  readonly onCall: (call: SiiCall) => void
}

function callOf(fact: CallFact): SiiCall {
  const { service, operation, ambiente, outcome, ms, estado, started_at, bytes_in, bytes_out } = fact
  return {
    service,
    operation,
    ambiente,
    outcome,
    ms,
    estado,
    at: started_at,
    detail: null,
    // Redacting a call costs more than counting it, and few are kept.
    get trace() {
      return { ...fact.trace, bytes_in, bytes_out }
    },
  }
}

/** The SII over its own protocols. `close` ends its connections. */
export function liveSii(parts: LiveSiiParts): Sii & { readonly client: SiiClient; close(): Promise<void> } {
  const { sql, steady, vault, identityOf, tellProven, sfgCredentialOf, only } = parts
  const realm = realmOf(parts.hosts, only)
  const client = openSiiClient({
    hosts: parts.hosts,
    tokens: sharedTokens({ sql, vault, realm }),
    sessions: sharedSessions({ sql, vault, realm }),
    turns: sharedTurns({ sql }),
    onCall: (fact) => parts.onCall(callOf(fact)),
    ca: parts.ca,
    limits: parts.limits,
    sleep: parts.sleep,
    now: parts.now,
  })
  const ambienteOf: AmbientePolicy = (wanted) => only ?? wanted
  const people = { identityOf, tellProven, sfgCredentialOf }
  const asking = { client, ...people, ambiente: ambienteOf('produccion') }
  return {
    client,
    close: () => client.close(),
    ...(only && { only }),
    tax_effect: parts.tax_effect,
    authorityKeys: async () => parts.caf_keys,
    certificateAuthorities: async () => parts.authorities,
    async signerFor(empresa) {
      const identity = await identityOf(empresa)
      if (!identity) throw new SignerMissing()
      return identity.signer
    },
    logOut: (identity) => reaching(() => client.logOut({ kind: 'certificate', identity }, asking.ambiente)),
    ...liveFolios({ client, ...people, ambienteOf }),
    ...liveEmission({ ...asking, sql: steady }),
    portal: livePortal({ ...asking, sql }),
    taxpayer: liveTaxpayer(asking),
    certification: liveCertification(asking),
    ...liveCesiones(asking),
    ...liveClaims(asking),
    ...liveRcv(asking),
    ...liveF29(asking),
  }
}
