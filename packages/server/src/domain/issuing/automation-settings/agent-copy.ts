import type { Irreversible } from '../../agent-tool.ts'
import { type AutomationSettings, SWITCH_NAMES, type SwitchName } from './schema.ts'

const WORDS: Readonly<Record<SwitchName, string>> = {
  email_documents_on_acceptance: 'enviar cada documento aceptado a los contactos del receptor',
  exchange_documents_on_acceptance: 'enviar cada documento aceptado a la casilla de intercambio del receptor',
  request_folios_when_low: 'pedir folios al SII cuando queden pocos',
  sync_rcv_daily: 'leer todos los días el registro de compras y ventas',
  apply_characterization_suggestions: 'clasificar las compras como se sugiere, sin preguntar',
  apply_movement_matches: 'conciliar los movimientos seguros, sin preguntar',
}

/** What the service does by itself it goes on doing when the agent is gone. */
export const automates: Irreversible<AutomationSettings> = {
  says: (settings, input) => {
    const turned = SWITCH_NAMES.filter((name) => input[name] !== undefined)
    const lines = turned.map((name) => `${WORDS[name]}: ${settings[name] ? 'sí' : 'no'}`)
    return `Desde ahora, por sí solo: ${lines.join('; ')}.`
  },
  shows: (settings) => Object.fromEntries(SWITCH_NAMES.map((name) => [name, settings[name]])),
}
