import type { Caf, CafRule, Outcome } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import type { Mode } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CafRequest, FolioRationing, FolioRefusal, OfferedRange } from '../../../ports/sii.ts'
import type { BaseContext } from '../../context.ts'
import { deleteOffers, insertOffer, listOpenOffers } from './offer-store.ts'
import { emittingAmbiente, readStock } from './store.ts'

/** A CAF that was parsed and verified, with the file it came in. */
export interface CafFile {
  readonly caf: Caf
  readonly file: Uint8Array
  /** What the SII said about its rationing, where it gave the range and said so. */
  readonly rationing?: FolioRationing
}

/** Parses a CAF and verifies it against the keys that may sign one in this mode. */
export async function parseCaf(
  { ports }: Pick<BaseContext, 'ports'>,
  mode: Mode,
  file: Uint8Array,
): Promise<Outcome<Caf, CafRule>> {
  const [{ readCaf }, keys] = await Promise.all([import('@timbre/dte/emission'), ports.sii[mode].authorityKeys()])
  return readCaf(file, keys)
}

type RangeWanted = Pick<CafRequest, 'legal_name' | 'tipo_dte' | 'quantity' | 'resolucion_numero'> &
  Partial<Pick<CafRequest, 'ambiente' | 'at_least'>>

/**
 * Fetches a range from the SII, outside any transaction, and verifies what comes back: a file that is not the
 * taxpayer's, or not of the tipo, must never stamp a document. Gives the SII's sentence when it grants none.
 */
export async function fetchCaf(
  ctx: Pick<BaseContext, 'sql' | 'ports' | 'now'>,
  scope: EmpresaScope,
  wanted: RangeWanted,
): Promise<CafFile | FolioRefusal> {
  const on = santiagoDate(ctx.now())
  const { highest } = await readStock(ctx.sql, scope, wanted.tipo_dte, on)
  const ambiente = emittingAmbiente(scope)
  const request = { ambiente, ...wanted, empresa: scope, rut: scope.rut, first_folio: highest + 1, on }
  const forgotten = await reobtainForgotten(ctx, scope, request)
  if (forgotten) return verified(ctx, scope, wanted.tipo_dte, { file: forgotten })
  const onOffer = (range: OfferedRange) => insertOffer(ctx.sql, scope, request, range, ctx.now())
  const answer = await ctx.ports.sii[scope.mode].requestCaf({ ...request, onOffer })
  if (!answer.granted) return answer
  return verified(ctx, scope, wanted.tipo_dte, answer)
}

/**
 * A range that the SII gave to a request of ours which never came to its end: it is asked for again before any other, or
 * it would count as unused for ever. What was offered and not given is forgotten.
 */
async function reobtainForgotten(
  ctx: Pick<BaseContext, 'sql' | 'ports'>,
  scope: EmpresaScope,
  request: Pick<CafRequest, 'empresa' | 'rut' | 'ambiente' | 'tipo_dte'>,
): Promise<Uint8Array | null> {
  const sii = ctx.ports.sii[scope.mode]
  if (!sii.reobtainCaf) return null
  const { empresa, rut, ambiente, tipo_dte } = request
  for (const range of await listOpenOffers(ctx.sql, scope, request)) {
    const file = await sii.reobtainCaf({ empresa, rut, ambiente, tipo_dte, ...range })
    if (file) return file
    await deleteOffers(ctx.sql, scope, request, range)
  }
  return null
}

async function verified(
  ctx: Pick<BaseContext, 'ports'>,
  scope: EmpresaScope,
  tipo_dte: number,
  answer: Pick<CafFile, 'file' | 'rationing'>,
): Promise<CafFile> {
  const parsed = await parseCaf(ctx, scope.mode, answer.file)
  if (!parsed.ok) throw new Error(`the SII granted a CAF that cannot be read: ${parsed.refusal.rule}`)
  const caf = parsed.value
  if (caf.emisor_rut !== scope.rut || caf.tipo_dte !== tipo_dte) throw new Error('the SII granted another CAF')
  return { caf, file: answer.file, ...(answer.rationing && { rationing: answer.rationing }) }
}
