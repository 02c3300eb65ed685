import type { SampleFacts } from '../../src/domain/issuing/certification/file.ts'
import { insertFiles } from '../../src/domain/issuing/certification/file-store.ts'
import { saveStatements } from '../../src/domain/issuing/certification/statements.ts'
import type { World } from './world.ts'

const FACTS = { origin: 'set', cedible: false, without_logo: false, bytes: 4, sha256: 'a'.repeat(64) } as const

/** A factura with its copy to cede, a note that is too big with its logo, and a document of the simulation. */
const SAMPLES: readonly SampleFacts[] = [
  { ...FACTS, tipo_dte: 33, folio: 1, case_id: '414175-1' },
  { ...FACTS, tipo_dte: 33, folio: 1, case_id: '414175-1', cedible: true },
  { ...FACTS, tipo_dte: 61, folio: 2, case_id: '414175-5', without_logo: true },
  { ...FACTS, tipo_dte: 33, folio: 1203, case_id: null, origin: 'simulacion' },
]

/** What a person is shown before they approve one of the last steps of a certification, as if it had been prepared. */
export async function prepareApprovals(
  { db: { sql } }: World,
  empresa_id: string,
  step: 'muestras_impresas' | 'cumplimiento',
): Promise<void> {
  const [row] = await sql<{
    account_id: string
    rut: string
  }>`select account_id, rut from empresa where id = ${empresa_id}`
  const scope = { account_id: row?.account_id ?? '', empresa_id, mode: 'live', rut: row?.rut ?? '' } as const
  if (step === 'cumplimiento')
    return saveStatements(sql, scope, ['La empresa guardará los documentos por seis años.', 'Enviará sus libros.'])
  const files = SAMPLES.map((sample, position) => {
    const file_name = `T${sample.tipo_dte}-F${sample.folio}${sample.cedible ? '-cedible' : ''}.pdf`
    const content = Buffer.from('%PDF')
    return { step, kind: 'sample', status: 'printed', position, file_name, content, sample } as const
  })
  return insertFiles(sql, scope, files, new Date())
}
