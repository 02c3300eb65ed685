import { type TipoDte, tipo } from '../document/tipos.ts'
import { isUnissuedTipo, type UnissuedTipo, unissuedTipo } from '../unissued/tipos.ts'

/** What a page says and does by the tipo of its document. */
export interface PrintedTipo {
  readonly name: string
  readonly printed_name: string
  readonly taxed: boolean
  readonly cedible: 'always' | 'never' | 'sale'
}

export function printedTipo(tipo_dte: TipoDte | UnissuedTipo): PrintedTipo {
  return isUnissuedTipo(tipo_dte) ? unissuedTipo(tipo_dte) : tipo(tipo_dte)
}
