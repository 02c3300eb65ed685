import type { Caf as CafOfSii, CafRule, Refusal } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { type CafFile, parseCaf } from './fetch-caf.ts'
import { deleteRefusal } from './refusal-store.ts'
import { checkTipo } from './request.ts'
import { ambienteOf, emitReceived, saveCaf } from './save-caf.ts'
import type { Caf, UploadCaf } from './schema.ts'
import { isExpired, showCaf } from './show.ts'
import { emittingAmbiente } from './store.ts'

const PARAM = 'caf'
const MAX_REASON_CHARS = 200

function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  // Encoded again and compared: the decoder skips whatever it does not know.
  if (bytes.toString('base64') === base64) return bytes
  throw invalidField(PARAM, 'it must be base64 with its padding, without line breaks or a data: prefix.')
}

/** The engine's refusal under the code a program can branch on. The file itself is never repeated. */
function problemOf({ rule, message }: Refusal<CafRule>): Problem {
  if (rule === 'bad_sii_signature' || rule === 'unknown_sii_key') {
    return new Problem('caf_not_signed_by_sii', { param: PARAM, details: { rule } })
  }
  if (rule === 'key_mismatch') return new Problem('caf_key_mismatch', { param: PARAM, details: { rule } })
  const reason = message.slice(0, MAX_REASON_CHARS)
  return new Problem('invalid_caf', { param: PARAM, message: `${PARAM}: ${reason}`, details: { rule } })
}

/** Verifies the file before the transaction opens: it takes a signature, and perhaps the engine's first load. */
export async function verifyCaf(ctx: EmpresaContext, input: UploadCaf): Promise<{ verified: CafFile }> {
  const file = decoded(input.caf)
  const parsed = await parseCaf(ctx, ctx.account.mode, file)
  if (!parsed.ok) throw problemOf(parsed.refusal)
  const caf = parsed.value
  if (caf.emisor_rut !== ctx.empresa.rut) {
    throw new Problem('caf_of_another_rut', { param: PARAM, details: { rut: caf.emisor_rut } })
  }
  if (isExpired(caf, santiagoDate(ctx.now()))) {
    throw new Problem('caf_expired', { param: PARAM, details: { expires_on: caf.expires_on } })
  }
  return { verified: { caf, file } }
}

/** Refuses folios that could never stamp: those of certification, once the empresa emits in production. */
function checkAmbiente(
  ctx: EmpresaContext,
  { emitting_since }: Pick<EmpresaRow, 'emitting_since'>,
  caf: CafOfSii,
): void {
  const { only } = ctx.ports.sii[ctx.empresa.mode]
  if (emitting_since === null && only === undefined) return
  const wanted = emittingAmbiente(ctx.empresa)
  if (ambienteOf(ctx, ctx.empresa, caf) === wanted) return
  throw new Problem('caf_of_another_ambiente', {
    param: PARAM,
    details: { wanted: only ?? wanted, key_id: caf.key_id },
  })
}

/** Puts a CAF that the empresa downloaded itself into custody. */
export async function uploadCaf(ctx: EmpresaContext, { verified }: { verified: CafFile }): Promise<Caf> {
  const emisor = await lockEmisor(ctx.sql, ctx.empresa)
  if (!emisor) throw new Problem('empresa_not_found')
  checkTipo(emisor, verified.caf.tipo_dte, PARAM)
  checkAmbiente(ctx, emisor, verified.caf)
  const { saved, row } = await saveCaf(ctx, ctx.empresa, verified, 'upload')
  if (!saved) throw new Problem('caf_overlap', { param: PARAM, existing_id: row.id })
  await deleteRefusal(ctx.sql, ctx.empresa, row.tipo_dte)
  await emitReceived(ctx, ctx.empresa, row)
  await ctx.reactions.onboardingFactsChanged(ctx, ctx.empresa)
  return showCaf(row, santiagoDate(ctx.now()))
}
