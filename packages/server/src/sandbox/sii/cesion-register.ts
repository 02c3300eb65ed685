import { DAY_MS } from '@timbre/dte/values'
import type { Sql } from '../../kernel/db.ts'
import type { CesionQuestion, SiiRegister } from '../../ports/sii-cesion.ts'
import {
  ACKNOWLEDGED,
  CLAIMED,
  LOOKING,
  MAGIC_CESIONARIOS,
  MAGIC_DEBTORS,
  PRESUMED,
  REGISTERED,
  REGISTERS_AFTER_MS,
} from './cesion-magic-values.ts'
import { answersToOwn, CLAIMS, placeOf } from './claims.ts'

const MS_DIGITS = 13

// The instant it arrived and what was ceded: whoever knows the track id knows when it is decided, so nothing is kept.
function trackIdFor({ document, at }: CesionQuestion): string {
  return `${at.getTime()}${document.tipo_dte}${document.folio}`
}

const cesionarioOf = (rut: string) => MAGIC_CESIONARIOS.find((magic) => magic.rut === rut)

function decidedAt(track_id: string, cesionario_rut: string): number {
  return Number(track_id.slice(0, MS_DIGITS)) + (cesionarioOf(cesionario_rut)?.after_ms ?? REGISTERS_AFTER_MS)
}

/** The register of the sandbox: by what a test had the receptor answer, by magic RUTs, or everything in order. */
export function sandboxRegister(sql: Sql): SiiRegister {
  return {
    async cedibilityOf({ empresa, document, sent_at, at }) {
      const answers = await answersToOwn(sql, empresa)
      const given = answers.get(placeOf(document.tipo_dte, document.folio))
      if (given) return given.some(({ action }) => CLAIMS.includes(action)) ? CLAIMED : ACKNOWLEDGED
      const debtor = MAGIC_DEBTORS.find(({ rut }) => rut === document.receptor_rut)
      if (!debtor) return ACKNOWLEDGED
      const { answer, until_days = Number.POSITIVE_INFINITY } = debtor
      return at.getTime() < sent_at.getTime() + until_days * DAY_MS ? answer : PRESUMED
    },
    cede: async (order) => ({
      track_id: trackIdFor(order),
      ask_at: new Date(order.at.getTime() + REGISTERS_AFTER_MS),
    }),
    async cesionStateOf({ cesionario_rut, track_id, at }) {
      if (track_id === null) throw new Error('the sandbox gives every cesión a track id')
      const decided_at = decidedAt(track_id, cesionario_rut)
      const decided = at.getTime() >= decided_at
      const { code, glosa } = decided ? (cesionarioOf(cesionario_rut)?.answer ?? REGISTERED) : LOOKING
      return { estado: code, glosa, ask_at: decided ? null : new Date(decided_at) }
    },
    // It takes the same cesión twice without a word, so there is nothing to find out before it is sent again.
    findCesion: async () => null,
  }
}
