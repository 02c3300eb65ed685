import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { requireProposal } from './read.ts'
import type { PeriodPath } from './schema.ts'
import { uploadFileName, writeUploadFile } from './upload-file.ts'

/** The proposal as the file that a person loads at the SII. */
export async function readUploadFile(ctx: EmpresaContext, { period }: PeriodPath): Promise<Artifact> {
  const { codes } = await requireProposal(ctx, period)
  const { rut, legal_name } = await readEmisor(ctx)
  const bytes = writeUploadFile({ rut, legal_name, period }, codes)
  return { media_type: 'text/plain', bytes, filename: uploadFileName({ rut }) }
}
