import type { Mode } from '../catalog/modes.ts'
import type { CursorSeal } from '../kernel/cursor-seal.ts'
import type { Vault } from '../kernel/vault.ts'
import type { Artifacts } from './artifacts.ts'
import type { Bank } from './bank.ts'
import type { Certificates } from './certificates.ts'
import type { Inspection } from './inspection.ts'
import type { Mail } from './mail.ts'
import type { Passwords } from './passwords.ts'
import type { Printer } from './printer.ts'
import type { Sessions } from './sessions.ts'
import type { Signing } from './signing.ts'
import type { Sii } from './sii.ts'
import type { SiiWeather } from './sii-weather.ts'
import type { Statements } from './statements.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** The outside world as a verb sees it. `serve.ts` decides what stands behind each. */
export interface Ports {
  readonly mail: Mail
  readonly vault: Vault
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly cursors: CursorSeal
  readonly sii: Readonly<Record<Mode, Sii>>
  readonly weather: SiiWeather
  readonly bank: Readonly<Record<Mode, Bank>>
  readonly webhooks: WebhookSender
  readonly artifacts: Artifacts
  readonly printer: Printer
  readonly signing: Signing
  readonly inspection: Inspection
  readonly statements: Statements
  readonly certificates: Certificates
}

/** Where the service itself can be found. */
export interface Addresses {
  readonly public_url: string
  readonly base_url: string
  readonly docs_url: string
  /** Where public links to documents begin; the same as `public_url` unless they have a host of their own. */
  readonly public_link_base: string
  readonly reception_domain: string
  /** Who reads what people ask of the operator. */
  readonly operator_email: string
}
