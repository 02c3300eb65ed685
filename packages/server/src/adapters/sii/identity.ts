import type { Caller, Identity, Ambiente as SiiAmbiente } from '@timbre/sii'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { type Ambiente, SignerMissing } from '../../ports/sii.ts'

/** Where the people who act for an empresa come from: custody, opened for the act. */
export interface Identities {
  /** The certificate in custody for the empresa; null where there is none. */
  identityOf(empresa: EmpresaScope): Promise<Identity | null>
  /** The SII took what this person sent for the empresa. */
  tellProven(empresa: EmpresaScope, identity: Identity): Promise<void>
  /** Whose certificate the SII keeps for the empresa, and its password there; null where none is in custody. */
  sfgCredentialOf(empresa: EmpresaScope): Promise<SfgCredential | null>
}

export interface SfgCredential {
  readonly rut: string
  readonly password: string
}

/**
 * The environment that is really asked. Against certification every empresa is there, whatever it would emit in; the
 * others have both.
 */
export type AmbientePolicy = (wanted: Ambiente) => SiiAmbiente

/** Who asks for an empresa, and where. */
export async function callerFor(
  { identityOf }: Pick<Identities, 'identityOf'>,
  empresa: EmpresaScope,
  ambiente: SiiAmbiente,
): Promise<Caller> {
  const identity = await identityOf(empresa)
  if (!identity) throw new SignerMissing()
  return { identity, ambiente }
}
