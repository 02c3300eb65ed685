import type { Declarable } from './register.ts'
import type { SectionKind } from './set.ts'

/**
 * Checkboxes of `pe_confirma` and the tipos that each asks for. Liquidaciones (SET84) and exports (SET11) are on the
 * real page too; the simulator has no sets of theirs.
 */
export const POSTULATION: readonly { readonly field: string; readonly label: string; readonly tipos: number[] }[] = [
  { field: 'ESFAC', label: 'Factura Electrónica', tipos: [33, 56, 61] },
  { field: 'FACT', label: 'Factura', tipos: [33, 56, 61] },
  { field: 'CONIVA', label: 'Con IVA', tipos: [] },
  { field: 'NC', label: 'Nota de Crédito Electrónica', tipos: [61] },
  { field: 'ND', label: 'Nota de Débito Electrónica', tipos: [56] },
  { field: 'SET03', label: 'Guía de Despacho Electrónica', tipos: [52] },
  { field: 'SET06', label: 'Factura No Afecta o Exenta Electrónica', tipos: [34] },
  { field: 'SET72', label: 'Factura de Compra Electrónica', tipos: [46] },
  { field: 'ESBOL', label: 'Boleta Electrónica', tipos: [] },
  { field: 'BOLELE', label: 'Boleta', tipos: [39] },
  { field: 'BOLELEC', label: 'Boleta Electrónica Afecta', tipos: [39] },
  { field: 'BOLEXE', label: 'Boleta Exenta', tipos: [41] },
  { field: 'BOLEXEN', label: 'Boleta Electrónica No Afecta o Exenta', tipos: [41] },
]

/** Asked for there, and not played here. */
export const NOT_PLAYED: readonly string[] = ['SET84', 'SET11']

/** The optional sets of `pe_generar1`; the basic one goes always, even where only 34 will be issued. */
export const SET_FIELDS: readonly {
  readonly field: string
  readonly label: string
  readonly tipo: number
  readonly kinds: readonly SectionKind[]
}[] = [
  { field: 'SET01', label: 'SET BASICO', tipo: 33, kinds: ['basico', 'ventas', 'compras'] },
  { field: 'SET03', label: 'SET GUIA DE DESPACHO', tipo: 52, kinds: ['guias', 'libro_guias'] },
  { field: 'SET06', label: 'SET FACTURA EXENTA', tipo: 34, kinds: ['exenta'] },
  { field: 'SET72', label: 'SET CASO GENERAL FACTURA COMPRA', tipo: 46, kinds: ['compra'] },
]

/** Rows of the page where sets are declared, in its order. The codes of the books and of the simulation are ours. */
export const ROWS: readonly { readonly kind: Declarable; readonly code: string; readonly label: string }[] = [
  { kind: 'basico', code: 'SET01', label: 'SET BASICO' },
  { kind: 'ventas', code: 'LIB01', label: 'LIBRO DE VENTAS' },
  { kind: 'compras', code: 'LIB02', label: 'LIBRO DE COMPRAS' },
  { kind: 'guias', code: 'SET03', label: 'SET GUIA DE DESPACHO' },
  { kind: 'libro_guias', code: 'LIB03', label: 'LIBRO DE GUIAS' },
  { kind: 'exenta', code: 'SET06', label: 'SET FACTURA EXENTA' },
  { kind: 'compra', code: 'SET72', label: 'SET CASO GENERAL FACTURA COMPRA' },
  { kind: 'simulacion', code: 'SIM01', label: 'SET DE SIMULACION' },
]
