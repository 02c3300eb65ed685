/** Someone whom ceding to, or having sold to, makes the register of the sandbox do something out of the ordinary. */
interface CesionMagic {
  readonly rut: string
  readonly happens: string
}

/** What the register answers, by the code and in the words of the SII. */
interface RegisterAnswer {
  readonly code: string
  readonly glosa: string
}

/** The register's answers about a cesión: accepted, and still being validated. */
export const REGISTERED: RegisterAnswer = { code: 'EOK', glosa: 'Envio Aceptado' }
export const LOOKING: RegisterAnswer = { code: 'VCS', glosa: 'Validando Cesiones' }
export const REGISTERS_AFTER_MS = 1_000

/** By the RUT of the cesionario. */
// biome-ignore format: one value per line reads as the table it is
export const MAGIC_CESIONARIOS: readonly (CesionMagic & { readonly answer?: RegisterAnswer; readonly after_ms?: number })[] = [
  { rut: '77222201-7', happens: 'failed: the register does not take the cesión', answer: { code: 'RCS', glosa: 'Rechazado por Error en Cesiones' } },
  { rut: '77222202-5', happens: 'failed: the register does not know the document', answer: { code: 'RDC', glosa: 'Rechazado por Error en Documento Cedido' } },
  { rut: '77222203-3', happens: 'confirmed, ten seconds after it was submitted', after_ms: 10_000 },
]

/** The receptor's default answer: receipt acknowledged. */
export const ACKNOWLEDGED: RegisterAnswer = { code: '23', glosa: 'DTE Cedible, no existen reclamos' }
export const CLAIMED: RegisterAnswer = { code: '24', glosa: 'DTE No Cedible, reclamado por el receptor' }
export const PRESUMED: RegisterAnswer = {
  code: '25',
  glosa: 'DTE Cedible, habiendo pasado 8 dias se entiende dado acuse de recibo',
}

/** By the RUT of the receptor. `until_days`: so long after it was sent, then its silence is taken for consent. */
// biome-ignore format: one value per line reads as the table it is
export const MAGIC_DEBTORS: readonly (CesionMagic & { readonly answer: RegisterAnswer; readonly until_days?: number })[] = [
  { rut: '77222222-K', happens: 'not cedible for eight days: it neither acknowledges nor claims', answer: { code: '22', glosa: 'No existen reclamos ni acuses de recibo' }, until_days: 8 },
  { rut: '77222224-6', happens: 'not cedible: it claimed the document', answer: CLAIMED },
]
