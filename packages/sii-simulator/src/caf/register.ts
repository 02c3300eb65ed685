import { createPrivateKey, type KeyObject } from 'node:crypto'
import { CAF_IDK } from '../authority/authority.ts'
import { santiago } from '../clock.ts'
import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import { cafKey, documentKey, wide } from '../state/state.ts'
import type { Caf } from '../state/types.ts'
import { taxpayerOf } from '../taxpayers.ts'
import { EXPIRING } from '../tipos.ts'
import { writeCaf } from './file.ts'
import { type FolioUse, HALF_YEAR_MS, type Ration, rationFor } from './rationing.ts'

/** The SII's own book of the folios it has authorised. */
export interface Series {
  readonly ambiente: Ambiente
  readonly emisor: string
  readonly tipo: number
}

/** Cut off before the number of the first folio: every range of a series, and every document. */
export function seriesPrefix({ ambiente, emisor, tipo }: Series): string {
  return documentKey(ambiente, emisor, tipo, 0).slice(0, -10)
}

export function rangesOf(ctx: Simulator, series: Series): Caf[] {
  return ctx.state.cafs.values(seriesPrefix(series))
}

/** One after the highest folio that was ever given out or received. */
export function nextFolio(ctx: Simulator, series: Series): number {
  const given = rangesOf(ctx, series).reduce((highest, { hasta }) => Math.max(highest, hasta), 0)
  const [last] = ctx.state.documents.entries(seriesPrefix(series), { reverse: true, limit: 1 })
  return Math.max(given, last?.[1].folio ?? 0) + 1
}

export function useOf(ctx: Simulator, series: Series): FolioUse {
  const now = ctx.clock.now()
  const recent = now - HALF_YEAR_MS
  const alive = rangesOf(ctx, series).filter(
    ({ tipo, fecha }) => !EXPIRING.includes(tipo) || Date.parse(fecha) > recent,
  )
  const within = (folio: number) => alive.some(({ desde, hasta }) => desde <= folio && folio <= hasta)
  let taken = 0
  let used = 0
  for (const { folio, received_at } of ctx.state.documents.values(seriesPrefix(series))) {
    if (within(folio)) taken++
    if (received_at > recent) used++
  }
  for (const [key] of ctx.state.annulled_folios.entries(seriesPrefix(series))) {
    if (within(Number(key.slice(-10)))) taken++
  }
  const given = alive.reduce((sum, { desde, hasta }) => sum + hasta - desde + 1, 0)
  const annulments = annulmentsOf(ctx)
    .values(seriesPrefix(series))
    .filter((at) => at > recent).length
  return { unused: given - taken, used, annulments }
}

export function rationOf(ctx: Simulator, series: Series): Ration & { readonly unused: number } {
  const use = useOf(ctx, series)
  return { ...rationFor(series.tipo, use, ctx.settings().folio_cap ?? undefined), unused: use.unused }
}

/** What a range is signed with, and the key that it gets. */
export interface RangeKeys {
  readonly authority: KeyObject
  readonly range: KeyObject
}

export async function newRangeKeys({ authority }: Simulator): Promise<RangeKeys> {
  return { authority: await authority.cafKey(), range: await authority.rangeKey() }
}

/**
 * Authorises a range: signs its key under the simulator's own and keeps the file as it was handed out. It waits for
 * nothing, so that nobody else is given the folios between the look at the next one and this.
 */
export function authoriseRange(
  ctx: Simulator,
  series: Series,
  range: { readonly from: number; readonly to: number },
  requested_by: string,
  keys: RangeKeys,
): Caf {
  const date = santiago(ctx.clock.now()).date
  const order = {
    rut: series.emisor,
    name: taxpayerOf(ctx, series.emisor)?.name ?? '',
    tipo: series.tipo,
    ...range,
    date,
  }
  const xml = writeCaf(order, { idk: CAF_IDK[series.ambiente], key: keys.authority }, keys.range).toString('latin1')
  const caf: Caf = { ...series, desde: range.from, hasta: range.to, fecha: date, requested_by, xml }
  ctx.state.cafs.put(cafKey(caf), caf)
  return caf
}

/** The key of a range, and its `CAF` without space between the tags, as a stamp holds it. */
export function stampOf({ xml }: Caf) {
  const key = /<RSASK>([\s\S]*?)<\/RSASK>/.exec(xml)?.[1] ?? ''
  const caf = /<CAF [\s\S]*<\/CAF>/.exec(xml)?.[0] ?? ''
  return { key: createPrivateKey(key), caf: caf.replace(/>\s+</g, '><') }
}

const annulmentsOf = (ctx: Simulator) => ctx.state.store<number>('folio_annulments')

/** Null where it was done; else the reason in the SII's words. */
export function annulFolios(ctx: Simulator, caf: Caf, from: number, to: number, by: string): string | null {
  const whole = Number.isInteger(from) && Number.isInteger(to)
  if (!whole || !(caf.desde <= from && from <= to && to <= caf.hasta))
    return 'El rango indicado no corresponde al rango autorizado'
  if (caf.requested_by !== by) return 'Los folios sólo pueden ser anulados por el mandatario que los timbró'
  const keys = Array.from({ length: to - from + 1 }, (_, at) =>
    documentKey(caf.ambiente, caf.emisor, caf.tipo, from + at),
  )
  if (keys.some((key) => ctx.state.documents.get(key) !== undefined))
    return 'Al menos un folio del rango ya fue recepcionado por el SII'
  if (keys.some((key) => ctx.state.annulled_folios.get(key) !== undefined))
    return 'El rango indicado fue anulado anteriormente'
  const at = ctx.clock.now()
  ctx.state.atomically(() => {
    for (const key of keys) ctx.state.annulled_folios.put(key, { at, by })
    annulmentsOf(ctx).put(`${seriesPrefix(caf)}${wide(at, 15)}`, at)
  })
  return null
}

/** Folios of a range that were annulled, as `11-20, 25`. */
export function annulledIn(ctx: Simulator, caf: Caf): string {
  const folios = Array.from(ctx.state.annulled_folios.entries(seriesPrefix(caf)), ([key]) => Number(key.slice(-10)))
  const inside = folios.filter((folio) => caf.desde <= folio && folio <= caf.hasta)
  const runs: [number, number][] = []
  for (const folio of inside) {
    const last = runs.at(-1)
    if (last && last[1] === folio - 1) last[1] = folio
    else runs.push([folio, folio])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}
