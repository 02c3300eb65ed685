import type { Mode } from '../catalog/modes.ts'
import type { Scope } from '../catalog/scopes.ts'

/** Proof that a caller was admitted to an account in a mode. Only the pipeline and the worker make one. */
export interface AccountScope {
  readonly account_id: string
  readonly mode: Mode
}

/** Proof that a caller was admitted to one empresa. No tenant query runs without one. */
export interface EmpresaScope extends AccountScope {
  readonly empresa_id: string
  readonly rut: string
}

/** The caps a person set for an agent; null where there is none. */
export interface GrantLimits {
  readonly max_clp_per_document: number | null
  readonly max_clp_per_day: number | null
  readonly tipos: readonly number[] | null
  readonly receptores: readonly string[] | null
}

/** A session acts for the whole account; a key or an agent only within its scopes and its empresas. */
export type Caller =
  | {
      readonly kind: 'key'
      readonly credential_id: string
      readonly root: boolean
      /** Of the secret it came with: a key has two for a while. */
      readonly secret_hash: Buffer
      /** It came with a secret that was rolled out and still works for a while. */
      readonly outgoing: boolean
      readonly scopes: readonly Scope[]
      readonly empresas: readonly string[]
    }
  | {
      readonly kind: 'agent'
      /** The grant it acts by: what a person revokes. */
      readonly credential_id: string
      /** Its own name for itself: unverified. */
      readonly client_name: string
      readonly scopes: readonly Scope[]
      readonly empresas: readonly string[]
      /** An act that cannot be undone is shown first and done when it is confirmed. */
      readonly two_steps: boolean
      readonly limits: GrantLimits
    }
  | { readonly kind: 'session'; readonly credential_id: string; readonly email_verified: boolean }
