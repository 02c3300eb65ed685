import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { InspectionContext } from '../../../ports/inspection.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { findAmbiente } from '../../platform/empresa/lookup.ts'

/** What a file for an empresa is inspected against: its RUT, and those believed in its mode and its ambiente. */
export async function readingFor(
  { ports, sql }: Pick<JobContext, 'ports' | 'sql'>,
  scope: EmpresaScope,
): Promise<InspectionContext> {
  const { mode, rut } = scope
  const sii = ports.sii[mode]
  const [keys, authorities, ambiente] = await Promise.all([
    sii.authorityKeys(),
    sii.certificateAuthorities(),
    MODES[mode].takes_every_timbre ? null : findAmbiente(sql, scope),
  ])
  return { receptor_rut: rut, sii_keys: ambiente === null ? keys : keysOf(keys, ambiente), authorities }
}

/** The number (IDK) of the key that the SII signs the CAFs of certification with. */
const CERTIFICATION_KEY = '100'

/**
 * Anybody is given folios in certification: a timbre of there is worth nothing in production. A real one is believed in
 * both, for suppliers send their facturas to a company that still certifies.
 */
function keysOf(keys: InspectionContext['sii_keys'], ambiente: Ambiente): InspectionContext['sii_keys'] {
  if (ambiente === 'certificacion') return keys
  return Object.fromEntries(Object.entries(keys).filter(([idk]) => idk !== CERTIFICATION_KEY))
}
