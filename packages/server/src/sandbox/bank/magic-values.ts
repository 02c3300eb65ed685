/** A bank of the sandbox, and what becomes of a connection to it. */
export interface SandboxBank {
  readonly id: string
  readonly name: string
  readonly happens: string
  /** The same for the person on the page, in Spanish. */
  readonly says: string
  readonly magic?: 'rejects_second_sync' | 'fails_first_refresh' | 'edits_and_removes'
}

/** Linked by `sandbox_` + id as the exchange token, or on the page of the link. */
// biome-ignore format: one bank per line reads as the table it is
export const SANDBOX_BANKS: readonly SandboxBank[] = [
  { id: 'banco_prueba', name: 'Banco de Prueba', happens: 'everything goes well', says: 'Todo funciona.' },
  { id: 'banco_cauteloso', name: 'Banco Cauteloso', magic: 'rejects_second_sync', happens: 'it needs the person again at its second sync', says: 'Pide entrar de nuevo al actualizarse por segunda vez.' },
  { id: 'banco_intermitente', name: 'Banco Intermitente', magic: 'fails_first_refresh', happens: 'its first refresh fails, and the next try goes well', says: 'Falla la primera vez que se actualiza y después funciona.' },
  { id: 'banco_corrector', name: 'Banco Corrector', magic: 'edits_and_removes', happens: 'it edits movements two days later and removes others after three', says: 'Corrige movimientos a los dos días y borra otros a los tres.' },
]

export const SANDBOX_EXCHANGE_PREFIX = 'sandbox_'
