import type { Caf, CafRule, Outcome } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import type { Mode } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CafRequest, FolioRationing, FolioRefusal } from '../../../ports/sii.ts'
import type { BaseContext } from '../../context.ts'
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
  const answer = await ctx.ports.sii[scope.mode].requestCaf(request)
  if (!answer.granted) return answer
  const parsed = await parseCaf(ctx, scope.mode, answer.file)
  if (!parsed.ok) throw new Error(`the SII granted a CAF that cannot be read: ${parsed.refusal.rule}`)
  const caf = parsed.value
  if (caf.emisor_rut !== scope.rut || caf.tipo_dte !== wanted.tipo_dte) throw new Error('the SII granted another CAF')
  return { caf, file: answer.file, ...(answer.rationing && { rationing: answer.rationing }) }
}
