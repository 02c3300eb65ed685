import type { ExplanationCode } from '@timbre/dte'

/** What the SII of test mode decides about a document, in the words of the real one. */
interface SandboxVerdict {
  readonly outcome: 'accepted' | 'reparo' | 'rejected'
  readonly estado: string
  readonly finding: string | null
  readonly glosa: string
}

/** Something out of the ordinary that the sandbox does, once its trigger is on a document. */
export interface Magic {
  /** Either of the two is enough: a total works on an anonymous boleta too. */
  readonly total: number
  readonly receptor_rut: string
  readonly happens: string
  readonly verdict?: SandboxVerdict
  /** Settles so long after it was sent. */
  readonly settles_after_ms?: number
  /** The SII does not answer the first so many times. */
  readonly unreachable_times?: number
  /** The SII does not take it the first so many times. */
  readonly refusal?: { readonly times: number; readonly code: ExplanationCode; readonly message: string }
}

const verdict = (outcome: SandboxVerdict['outcome'], estado: string, glosa: string, finding?: string) => ({
  outcome,
  estado,
  finding: finding ?? null,
  glosa: finding ? `(${finding}) ${glosa}` : glosa,
})
const reparo = (glosa: string, finding?: string) => ({ verdict: verdict('reparo', 'RPR', glosa, finding) })
const rejected = (glosa: string, finding?: string) => ({ verdict: verdict('rejected', 'RCH', glosa, finding) })
const refusal = { code: 'sender_not_authorized', message: 'Usuario sin permiso de envio.' } as const

/** What every other document gets: the answer of QueryEstDte to a document that is in order. */
export const ACCEPTED: SandboxVerdict = verdict(
  'accepted',
  'DOK',
  'Documento Recibido por el SII. Datos Coinciden con los Registrados',
)

export const SETTLES_AFTER_MS = 500

/**
 * Magic values of test mode. Glosas are those that the SII sends. Every total can be reached by a factura with one
 * item, for not every sum of a net amount and its IVA exists, and stays below the 135 UF from which a boleta must
 * name its buyer.
 */
// biome-ignore format: one value per line reads as the table it is
export const MAGIC: readonly Magic[] = [
  { total: 1_111_101, receptor_rut: '77111101-7', happens: 'reparo: a line that is not price by quantity', ...reparo('Valor Detalle Distinto a Precio * Cantidad', 'DET-1-200') },
  { total: 1_111_102, receptor_rut: '77111102-5', happens: 'reparo: a nota whose amount is not that of the document it annuls', ...reparo('Anulación presenta diff. de monto con doc. referenciado', 'REF-2-780') },
  { total: 1_111_103, receptor_rut: '77111103-3', happens: 'rejected: the receptor does not exist', ...rejected('RUT Receptor Inválido') },
  { total: 1_111_104, receptor_rut: '77111104-1', happens: 'rejected: another RUT signed than sent it', ...rejected('RUT envia diferente al Upload', 'CRT-3-11') },
  { total: 1_111_105, receptor_rut: '77111105-K', happens: 'rejected: the folio was used before', ...rejected('Folio para este Tipo de documento ya fue recibido en el SII', 'DTE-3-101') },
  { total: 1_111_107, receptor_rut: '77111107-6', happens: 'rejected: the CAF has expired', ...rejected('CAF Vencido : (Firma_DTE - CAF) > 6 meses', 'CAF-3-517') },
  { total: 1_111_108, receptor_rut: '77111108-4', happens: 'rejected: the totals do not add up', ...rejected('Monto Total No Cuadra') },
  { total: 1_111_109, receptor_rut: '77111109-2', happens: 'rejected: the signature does not verify', ...rejected('Firma DTE Incorrecta', 'DTE-3-505') },
  { total: 1_111_110, receptor_rut: '77111110-6', happens: 'rejected: an activity that the SII does not know of the empresa', ...rejected('Actividad Económica no registrada', 'HED-3-861') },
  { total: 1_111_111, receptor_rut: '77111111-4', happens: 'rejected: the SII does not have the document it refers to', ...rejected('DTE Referenciado no recibido en el SII', 'REF-3-750') },
  { total: 1_111_113, receptor_rut: '77111113-0', happens: 'failed: the SII does not take it; POST …/retry goes through', refusal: { ...refusal, times: 1 } },
  { total: 1_111_114, receptor_rut: '77111114-9', happens: 'failed: the SII does not take it, however often it is retried', refusal: { ...refusal, times: Number.POSITIVE_INFINITY } },
  { total: 1_111_115, receptor_rut: '77111115-7', happens: 'accepted, ten seconds after it was sent', settles_after_ms: 10_000 },
  { total: 1_111_116, receptor_rut: '77111116-5', happens: 'accepted, after an outage: the SII does not answer twice', unreachable_times: 2 },
]

/** What a document triggers, or null for an ordinary one. */
export function magicOf(document: { readonly receptor_rut: string; readonly total: number }): Magic | null {
  return (
    MAGIC.find(({ total, receptor_rut }) => total === document.total || receptor_rut === document.receptor_rut) ?? null
  )
}

const SCRIPTED = {
  accepted: ACCEPTED,
  reparo: verdict('reparo', 'RPR', 'Dte Aceptado con reparos'),
  rejected: verdict('rejected', 'RCH', 'Dte Rechazado'),
}

/** The verdict that a test asked for: a finding and a glosa of its own, or the plain words of the SII. */
export function scriptedVerdict(script: {
  readonly outcome: SandboxVerdict['outcome']
  readonly code: string | null
  readonly message: string | null
}): SandboxVerdict {
  const plain = SCRIPTED[script.outcome]
  return { ...plain, finding: script.code, glosa: script.message ?? plain.glosa }
}
