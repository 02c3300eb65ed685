import type { Sii } from '../ports/sii.ts'

/** A resolución with this number is refused by the sandbox, so that the refusal can be rehearsed. */
export const REFUSED_RESOLUCION = 999_999

/** The SII of test mode: in process, no traffic, always the same answer to the same question. */
export function sandboxSii(): Sii {
  return {
    async requestCaf({ tipo_dte, quantity, resolucion_numero }) {
      if (resolucion_numero === REFUSED_RESOLUCION) {
        return { granted: false, sentence: `CONTRIBUYENTE NO AUTORIZADO A TIMBRAR EL TIPO DE DOCUMENTO ${tipo_dte}` }
      }
      return { granted: true, from: 1, to: quantity, caf_xml: null }
    },
  }
}
