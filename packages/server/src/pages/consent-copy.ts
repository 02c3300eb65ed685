import type { Mode } from '../catalog/modes.ts'
import type { DAYS } from '../domain/platform/agent-grant/consent-form.ts'

export const UNVERIFIED = 'Es el nombre que el agente dice tener; nadie lo ha verificado.'

export const MODE_CARDS: Readonly<
  Record<Mode, { readonly title: string; readonly says: string; readonly none: string }>
> = {
  test: {
    title: 'Modo de prueba',
    says: 'Documentos sin valor tributario. Lo mejor para empezar.',
    none: 'Todavía no tienes empresas de prueba.',
  },
  live: {
    title: 'Producción',
    says: 'Documentos reales, que llegan al SII.',
    none: 'Todavía no tienes empresas en producción.',
  },
}

export const DAY_WORDS: Readonly<Record<(typeof DAYS)[number], string>> = {
  1: 'mañana',
  7: 'en una semana',
  30: 'en 30 días',
  90: 'en 90 días',
  180: 'en seis meses',
  365: 'en un año',
}
