import type { Signer, SiiKeys } from '@timbre/dte'
import type { EmpresaScope } from '../kernel/context.ts'

export type Ambiente = 'certificacion' | 'produccion'

/** Asks for a range of folios of one tipo for one taxpayer. */
export interface CafRequest {
  readonly rut: string
  readonly legal_name: string
  readonly tipo_dte: number
  readonly quantity: number
  /** 0 where none was given yet: the SII's own number for certification. */
  readonly resolucion_numero: number
  readonly ambiente: Ambiente
  /** One above the highest folio known here. The SII counts by itself; the sandbox keeps no books of its own. */
  readonly first_folio: number
  /** The day it is asked for, in Santiago. */
  readonly on: string
}

export type CafAnswer =
  /** The file as the SII gives it: it holds a private key. */
  | { readonly granted: true; readonly file: Uint8Array }
  /** The SII answered and gave no range: its own sentence, untranslated. */
  | { readonly granted: false; readonly sentence: string }

/** The questions we ask the tax authority, in our words. Grows with the modules that ask them. */
export interface Sii {
  requestCaf(request: CafRequest): Promise<CafAnswer>
  /** Whom to believe when a CAF says that the SII signed it, by the number it names. */
  authorityKeys(): Promise<SiiKeys>
  /** The certificate that signs for an empresa, ready to use. */
  signerFor(empresa: EmpresaScope): Promise<Signer>
}

/** The SII could not be asked: nothing is known to have happened there. */
export class SiiUnreachable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'SiiUnreachable'
  }
}
