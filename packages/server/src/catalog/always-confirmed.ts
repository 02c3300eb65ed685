interface AlwaysConfirmed {
  readonly operation: string
  /** Only where the call carries this field. */
  readonly field?: string
  /** What it does, for the person who lets an agent in: `siempre pregunta antes de …`. */
  readonly words: string
}

/**
 * Acts of an agent that are shown first and confirmed even where its person switched the second step off: what ends an
 * empresa, and what sends its news or the answers to its letters to somebody else.
 */
export const ALWAYS_CONFIRMED: readonly AlwaysConfirmed[] = [
  { operation: 'empresas.update', field: 'status', words: 'archivar una empresa' },
  { operation: 'empresas.delete', words: 'borrar una de prueba' },
  { operation: 'empresas.update', field: 'contact_email', words: 'cambiar el correo donde te responden' },
  { operation: 'webhook_endpoints.update', field: 'url', words: 'cambiar a dónde llegan tus avisos' },
]

/** Whether a call is such an act, by its operation and the fields it touches. */
export function isAlwaysConfirmed(operation_id: string, body: Readonly<Record<string, unknown>>): boolean {
  return ALWAYS_CONFIRMED.some(
    ({ operation, field }) => operation === operation_id && (field === undefined || body[field] !== undefined),
  )
}

/** Those acts as one reads them aloud: `antes de …`. */
export const ASKED_ALWAYS = new Intl.ListFormat('es-CL').format(ALWAYS_CONFIRMED.map(({ words }) => words))
