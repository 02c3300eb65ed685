import { isTipoDte, TIPO, TIPO_NUMBERS, TIPOS } from '@timbre/dte/values'
import { Problem } from '../../../kernel/problem.ts'

/**
 * The tipos an emission channel cannot build, and whether the SII assigns each folio there. Boletas leave
 * through our own engine whatever the channel, so the free portal lacks only the factura de compra.
 */
const CHANNELS = {
  mercado: { lacks: [], folios_by_sii: false },
  sfg: { lacks: [TIPO.factura_de_compra], folios_by_sii: true },
} as const satisfies Record<string, { lacks: readonly number[]; folios_by_sii: boolean }>

export type EmissionChannel = keyof typeof CHANNELS
export const CHANNEL_NAMES = Object.keys(CHANNELS) as EmissionChannel[]

/** How a titular says it emits today, and the channel that follows when none is named. */
export const ORIGENES = {
  gratuito: { channel: 'sfg' },
  mercado: { channel: 'mercado' },
  ninguno: { channel: 'mercado' },
} as const satisfies Record<string, { channel: EmissionChannel }>

export type Origen = keyof typeof ORIGENES
export const ORIGEN_NAMES = Object.keys(ORIGENES) as Origen[]

/** Whether documents of a tipo get their folio from the SII itself, so that no range of ours is used. */
export function getsFolioFromSii(channel: EmissionChannel, tipo_dte: number): boolean {
  return CHANNELS[channel].folios_by_sii && isTipoDte(tipo_dte) && TIPOS[tipo_dte].family !== 'boleta'
}

export function lackedBy(channel: EmissionChannel, doc_types: readonly number[]): number[] {
  const lacks: readonly number[] = CHANNELS[channel].lacks
  return doc_types.filter((tipo) => lacks.includes(tipo))
}

/** Declared tipos in the order of the SII's table, once none of them is beyond the channel. */
export function checkDocTypes(channel: EmissionChannel, doc_types: readonly number[]): number[] {
  const tipos = lackedBy(channel, doc_types)
  if (tipos.length > 0) {
    const message = `The channel ${channel} does not build tipo ${tipos.join(', ')}.`
    throw new Problem('tipo_not_available_for_channel', { param: 'doc_types', message, details: { channel, tipos } })
  }
  return TIPO_NUMBERS.filter((tipo) => doc_types.includes(tipo))
}
