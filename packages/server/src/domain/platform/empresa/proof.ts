import { CEILINGS } from '../../../catalog/limits.ts'
import type { Sql } from '../../../kernel/db.ts'
import { LOCKS } from '../../../kernel/locks.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaRow, RutProof } from './row.ts'
import { isEmpresa } from './sql.ts'

/** A CA and the SII are believed alike; less, a person's word about another, and what anybody can read. */
const STRENGTH: Readonly<Record<RutProof, number>> = { published: 1, signer: 1, taxpayer: 2, sii: 2 }

/** What a certificate shows of a RUT. Where nobody vouches for its holder, or they are nobody that we know, nothing. */
export function proofBy(
  { holder_rut, chain }: { readonly holder_rut: string; readonly chain: string },
  { rut, signer_rut }: { readonly rut: string; readonly signer_rut: string | null },
): RutProof | null {
  if (chain !== 'accredited') return null
  if (holder_rut === rut) return 'taxpayer'
  return holder_rut === signer_rut ? 'signer' : null
}

type Proven = Pick<
  EmpresaRow,
  'emitting_since' | 'resolucion_status' | 'boleta_emission_enabled_at' | 'rut_proof' | 'status'
>

/** Whether the SII took something of the empresa: as `hasNoHistory` has it in SQL. */
function hasHistory({ emitting_since, resolucion_status, boleta_emission_enabled_at }: Proven): boolean {
  return emitting_since !== null || resolucion_status === 'verified' || boleta_emission_enabled_at !== null
}

/** Whether nothing shows that the RUT is the account's: as `isUnproven` has it in SQL. */
export function isUnprovenRow(row: Proven): boolean {
  return !hasHistory(row) && row.rut_proof === null
}

/** Whether nothing that could still be shown would count for more. */
export const isBeyondDoubt = (row: Proven): boolean => strengthOf(row) >= STRENGTH.sii

/** What an empresa that is not over has to show. The number of a resolución is published, and verified against that alone. */
function strengthOf(row: Proven): number {
  if (row.emitting_since !== null || row.boleta_emission_enabled_at !== null) return STRENGTH.sii
  const proof = row.rut_proof === null ? 0 : STRENGTH[row.rut_proof]
  return row.resolucion_status === 'verified' ? Math.max(proof, STRENGTH.published) : proof
}

/**
 * Whether a proof takes a RUT from the empresa that holds it: only a stronger one does. One that is archived defends its
 * history alone, against less than the RUT itself.
 */
export function outweighs(proof: RutProof, holder: Proven): boolean {
  const archived = hasHistory(holder) ? STRENGTH.published : 0
  return STRENGTH[proof] > (holder.status === 'archived' ? archived : strengthOf(holder))
}

/**
 * Whether the word of a person still counts for another RUT. Anybody can sign as the representante of any RUT: what makes
 * it worth something is that they put their name to few. Those that something better shows since are not counted.
 */
export async function maySignFor(sql: Sql, scope: EmpresaScope, holder_rut: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${LOCKS.rut_proof}::int, hashtext(${holder_rut}))`
  const [row] = await sql<{ others: number }>`
    select count(*)::int as others from empresa
    where mode = ${scope.mode} and rut_proof = 'signer' and rut_proof_by = ${holder_rut} and status <> 'archived'
      and id <> ${scope.empresa_id}`
  return (row?.others ?? 0) < CEILINGS.ruts_signed_for
}

/** Records what was shown, for good; what showed more before stays. */
export async function recordRutProof(
  sql: Sql,
  scope: EmpresaScope,
  proof: RutProof,
  at: Date,
  by: string | null = null,
): Promise<void> {
  const weaker = Object.entries(STRENGTH).flatMap(([name, strength]) => (strength < STRENGTH[proof] ? [name] : []))
  await sql`
    update empresa set rut_proof = ${proof}, rut_proven_at = ${at}, rut_proof_by = ${by}
    where ${isEmpresa(scope)} and (rut_proof is null or rut_proof = any(${weaker}::text[]))`
}
