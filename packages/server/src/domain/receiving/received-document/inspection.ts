import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { InspectionContext } from '../../../ports/inspection.ts'
import type { JobContext } from '../../job.ts'

/** What a file for an empresa is inspected against: its RUT, and those believed in its mode. */
export async function readingFor(
  { ports }: Pick<JobContext, 'ports'>,
  { mode, rut }: Pick<EmpresaScope, 'mode' | 'rut'>,
): Promise<InspectionContext> {
  const sii = ports.sii[mode]
  const [sii_keys, authorities] = await Promise.all([sii.authorityKeys(), sii.certificateAuthorities()])
  return { receptor_rut: rut, sii_keys, authorities }
}
