import type { CafRule, Refusal } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { readCafFile } from './fetch-file.ts'
import { type CafFile, keepCaf } from './keep-caf.ts'
import { tellReceived } from './received.ts'
import type { Caf, UploadCaf } from './schema.ts'
import { isExpired, showCaf } from './show.ts'
import { lockEmisor } from './store.ts'
import { checkTipo } from './usable-tipo.ts'

const PARAM = 'caf'
const LONGEST_REASON = 200

function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  // Written again and compared: the decoder passes over whatever it does not know.
  if (bytes.toString('base64') === base64) return bytes
  throw invalidField(PARAM, 'it must be base64 with its padding, without line breaks or a data: prefix.')
}

/** What the engine found wrong, under the code a program can branch on. The file itself is never repeated. */
function refusalOf({ rule, message }: Refusal<CafRule>): Problem {
  if (rule === 'bad_sii_signature' || rule === 'unknown_sii_key') {
    return new Problem('caf_not_signed_by_sii', { param: PARAM, details: { rule } })
  }
  if (rule === 'key_mismatch') return new Problem('caf_key_mismatch', { param: PARAM, details: { rule } })
  const reason = message.slice(0, LONGEST_REASON)
  return new Problem('invalid_caf', { param: PARAM, message: `${PARAM}: ${reason}`, details: { rule } })
}

/** Reads and proves the file before the transaction opens: it takes a signature, and perhaps the engine's first load. */
export async function proveCaf(ctx: EmpresaContext, input: UploadCaf): Promise<{ proven: CafFile }> {
  const file = decoded(input.caf)
  const read = await readCafFile(ctx, ctx.account.mode, file)
  if (!read.ok) throw refusalOf(read.refusal)
  const caf = read.value
  if (caf.emisor_rut !== ctx.empresa.rut) {
    throw new Problem('caf_of_another_rut', { param: PARAM, details: { rut: caf.emisor_rut } })
  }
  if (isExpired(caf, santiagoDate(ctx.now()))) {
    throw new Problem('caf_expired', { param: PARAM, details: { expires_on: caf.expires_on } })
  }
  return { proven: { caf, file } }
}

/** Takes a CAF that the empresa already holds into custody. */
export async function uploadCaf(ctx: EmpresaContext, { proven }: { proven: CafFile }): Promise<Caf> {
  const emisor = await lockEmisor(ctx.sql, ctx.empresa)
  if (!emisor) throw new Problem('empresa_not_found')
  checkTipo(emisor, proven.caf.tipo_dte, PARAM)
  const { kept, row } = await keepCaf(ctx, ctx.empresa, proven, 'upload')
  if (!kept) throw new Problem('caf_overlap', { param: PARAM, existing_id: row.id })
  await tellReceived(ctx, ctx.empresa, row)
  return showCaf(row, santiagoDate(ctx.now()))
}
