import type { Mode } from '../catalog/modes.ts'
import type { DAYS } from '../domain/platform/agent-grant/consent-form.ts'

export const UNVERIFIED = 'Así dice llamarse: nadie lo ha verificado.'

export const MODE_CARDS: Readonly<
  Record<Mode, { readonly title: string; readonly short: string; readonly says: string; readonly none: string }>
> = {
  test: {
    title: 'Modo de prueba',
    short: 'Prueba',
    says: 'Para ensayar',
    none: 'Todavía no tienes empresas de prueba.',
  },
  live: {
    title: 'Producción',
    short: 'Producción',
    says: 'Llega al SII',
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
