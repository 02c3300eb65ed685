import type { Mode } from '../../../catalog/modes.ts'
import type { StatusOf } from '../../../kernel/machine.ts'
import type { mandatoMachine } from './machine.ts'
import type { Mandato, MandatoVia, Signer } from './schema.ts'

export interface MandatoRow {
  readonly id: string
  readonly status: StatusOf<typeof mandatoMachine>
  readonly terms_version: string | null
  readonly signer_rut: string | null
  readonly signer_name: string | null
  readonly signer_role: Signer['role'] | null
  readonly via: MandatoVia | null
  readonly signed_at: Date | null
  readonly revoked_at: Date | null
}

/** Who signed last; null while nobody has. */
export function signerOf({ signer_rut: rut, signer_name: name, signer_role: role }: MandatoRow): Signer | null {
  return rut === null || name === null || role === null ? null : { rut, name, role }
}

export function showMandato(row: MandatoRow | null, { mode }: { readonly mode: Mode }): Mandato {
  return {
    object: 'mandato',
    mode,
    status: row?.status ?? 'none',
    terms_version: row?.terms_version ?? null,
    signer: row && signerOf(row),
    via: row?.via ?? null,
    signed_at: row?.signed_at?.toISOString() ?? null,
    revoked_at: row?.revoked_at?.toISOString() ?? null,
  }
}
