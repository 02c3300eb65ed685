import { Problem } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { Emisor } from './store.ts'

/** Refuses folios that no document of the empresa could use. */
export function checkTipo(emisor: Emisor, tipo_dte: number, param: string): void {
  if (!emisor.doc_types.includes(tipo_dte)) throw new Problem('tipo_not_declared', { param, details: { tipo_dte } })
  if (!getsFolioFromSii(emisor.emission_channel, tipo_dte)) return
  const message = `On the channel ${emisor.emission_channel} the SII gives each document of tipo ${tipo_dte} its folio.`
  const details = { channel: emisor.emission_channel, tipos: [tipo_dte] }
  throw new Problem('tipo_not_available_for_channel', { param, message, details })
}
