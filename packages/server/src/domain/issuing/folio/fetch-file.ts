import type { Caf, CafRule, Outcome } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import type { Mode } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CafRequest } from '../../../ports/sii.ts'
import type { BaseContext } from '../../context.ts'
import type { CafFile } from './keep-caf.ts'
import { readStock } from './stock-store.ts'
import { emittingAmbiente } from './store.ts'

/** Reads a CAF and proves it against whoever may sign one in this mode. */
export async function readCafFile(
  { ports }: Pick<BaseContext, 'ports'>,
  mode: Mode,
  file: Uint8Array,
): Promise<Outcome<Caf, CafRule>> {
  const [{ readCaf }, keys] = await Promise.all([import('@timbre/dte/emission'), ports.sii[mode].authorityKeys()])
  return readCaf(file, keys)
}

type Wanted = Pick<CafRequest, 'legal_name' | 'tipo_dte' | 'quantity' | 'resolucion_numero'> &
  Partial<Pick<CafRequest, 'ambiente'>>

/**
 * Asks the SII for a range, outside any transaction, and proves what comes back: a file that is not the taxpayer's, or
 * not of the tipo, must never stamp a document. Its sentence when it grants none.
 */
export async function requestFile(
  ctx: Pick<BaseContext, 'sql' | 'ports' | 'now'>,
  scope: EmpresaScope,
  wanted: Wanted,
): Promise<CafFile | { readonly sentence: string }> {
  const on = santiagoDate(ctx.now())
  const { highest } = await readStock(ctx.sql, scope, wanted.tipo_dte, on)
  const request = { ambiente: emittingAmbiente(scope), ...wanted, rut: scope.rut, first_folio: highest + 1, on }
  const answer = await ctx.ports.sii[scope.mode].requestCaf(request)
  if (!answer.granted) return { sentence: answer.sentence }
  const read = await readCafFile(ctx, scope.mode, answer.file)
  if (!read.ok) throw new Error(`the SII granted a CAF that cannot be read: ${read.refusal.rule}`)
  const caf = read.value
  if (caf.emisor_rut !== scope.rut || caf.tipo_dte !== wanted.tipo_dte) throw new Error('the SII granted another CAF')
  return { caf, file: answer.file }
}
