/** Asks for a range of folios of one tipo for one taxpayer. */
export interface CafRequest {
  readonly rut: string
  readonly tipo_dte: number
  readonly quantity: number
  readonly resolucion_numero: number
  readonly ambiente: 'certificacion' | 'produccion'
}

export type CafAnswer =
  | { readonly granted: true; readonly from: number; readonly to: number; readonly caf_xml: string | null }
  /** The SII answered and gave no range: its own sentence, untranslated. */
  | { readonly granted: false; readonly sentence: string }

/** The questions we ask the tax authority, in our words. Grows with the modules that ask them. */
export interface Sii {
  requestCaf(request: CafRequest): Promise<CafAnswer>
}

/** The SII could not be asked: nothing is known to have happened there. */
export class SiiUnreachable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'SiiUnreachable'
  }
}
