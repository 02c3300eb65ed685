import type { TipoDte } from '@timbre/dte/values'
import { recordRutProof } from '../../platform/empresa/proof.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { isBoleta, tiposOfCertification } from '../../platform/onboarding/walk.ts'
import { notDone, type Stage } from './stage.ts'
import { saveWords } from './store.ts'

/** Every company certifies these with the basic set, whatever else it will issue (SII, manual of certification). */
const BASIC = [33, 56, 61]

/** What goes through the sets of tests and the simulation: boletas are certified apart. */
export function certifiedTipos(row: EmpresaRow): TipoDte[] {
  return [...new Set([...BASIC, ...tiposOfCertification(row)])] as TipoDte[]
}

/**
 * The application at the SII. Whoever approved it read that the free portal is lost for facturas, so the SII's warning of it is
 * accepted. Asked twice it is made once: the SII says that it was made before.
 */
export const runPostulation: Stage = async ({ ctx, scope, row, sii }) => {
  const boletas = row.doc_types.filter(isBoleta)
  const tipos = [...new Set([...certifiedTipos(row), ...boletas])].sort((one, other) => one - other)
  const answer = await sii.postulate({ empresa: scope, tipos, accept_loss_of_sfg: true })
  if (answer.outcome === 'loss_of_sfg') return { outcome: 'refused', sentence: answer.warning }
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact(async (tx) => {
    await saveWords(tx.sql, scope, answer.sentence, tx.now())
    // The SII takes the application of nobody but who may act for the RUT.
    await recordRutProof(tx.sql, scope, 'sii', tx.now())
  })
  return { outcome: 'done' }
}
