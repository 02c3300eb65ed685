import type { Sql } from '../../../kernel/db.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { writeZip } from '../../../kernel/table-file/zip.ts'
import type { FileRow, SampleFacts } from './file.ts'
import { contentOf, findFile, listFiles } from './file-store.ts'

/** A printed sample, as a person is shown it. */
export interface ShownSample extends SampleFacts, Pick<FileRow, 'id' | 'file_name'> {}

/** The step that prints samples and hands them in. */
export const SAMPLES_STEP = 'muestras_impresas'

const isSample = (file: FileRow): file is FileRow & { readonly sample: SampleFacts } =>
  file.kind === 'sample' && file.sample !== null

/** The samples that stand, in their order. */
export async function listSamples(sql: Sql, scope: EmpresaScope): Promise<ShownSample[]> {
  const files = await listFiles(sql, scope, SAMPLES_STEP)
  return files.filter(isSample).map(({ id, file_name, sample }) => ({ ...sample, id, file_name }))
}

/** The file of a sample as it was printed, byte for byte; null for anything else. */
export async function readSample(sql: Sql, scope: EmpresaScope, id: string): Promise<Artifact | null> {
  // PostgreSQL takes no NUL, and no id has one.
  const file = id.includes('\0') ? null : await findFile(sql, scope, id)
  if (!file || !isSample(file)) return null
  const bytes = await contentOf(sql, scope, id)
  return bytes && { media_type: 'application/pdf', bytes, filename: file.file_name }
}

/** All samples that stand in one file, for whoever hands them in by hand; null where there are none. */
export async function zipSamples(sql: Sql, scope: EmpresaScope): Promise<Artifact | null> {
  const samples = await listSamples(sql, scope)
  if (samples.length === 0) return null
  async function* bytesOf(id: string) {
    yield Buffer.from((await contentOf(sql, scope, id)) ?? [])
  }
  async function* entries() {
    for (const { id, file_name: name } of samples) yield { name, content: bytesOf(id) }
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeZip(entries())) chunks.push(chunk)
  return { media_type: 'application/zip', bytes: Buffer.concat(chunks), filename: `${scope.rut}-muestras-impresas.zip` }
}
