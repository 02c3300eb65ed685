import type { Billing, DteDraft, GlobalAdjustment, Item } from '../../src/document/document.ts'
import { isTipoDte } from '../../src/document/tipos.ts'

type Tree = Readonly<Record<string, unknown>>

const list = (value: unknown): readonly Tree[] =>
  value === undefined ? [] : ((Array.isArray(value) ? value : [value]) as readonly Tree[])
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const BILLING: Readonly<Record<number, Billing>> = {
  2: 'non_billable',
  3: 'container_deposit',
  6: 'non_billable_negative',
}

function item(line: Tree): Item {
  return {
    description: String(line.NmbItem),
    quantity: number(line.QtyItem),
    unit_price: number(line.PrcItem),
    exempt: line.IndExe === 1 ? true : undefined,
    billing: BILLING[Number(line.IndExe)],
    discount: line.DescuentoMonto === undefined ? undefined : { amount: number(line.DescuentoMonto) },
    additional_tax: number(line.CodImpAdic),
  }
}

function adjustment(line: Tree): GlobalAdjustment {
  const applies_to = line.IndExeDR === 1 ? 'exempt' : 'taxed'
  return line.TpoValor === '%'
    ? { percent: number(line.ValorDR), applies_to }
    : { amount: number(line.ValorDR), applies_to }
}

/** A draft from a document written with the SII's own names, as the totals cases are. */
export function draftOf(document: Tree): DteDraft {
  const header = document.Encabezado as Record<string, Tree>
  const tipo_dte = header.IdDoc?.TipoDTE
  if (!isTipoDte(tipo_dte)) throw new TypeError(`tipo ${tipo_dte}`)
  const globals = list(document.DscRcgGlobal)
  return {
    tipo_dte,
    issue_date: '2026-10-05',
    emisor: { rut: String(header.Emisor?.RUTEmisor), legal_name: 'Emisor' },
    receptor: { rut: String(header.Receptor?.RUTRecep) },
    items: list(document.Detalle).map(item),
    discounts: globals.filter(({ TpoMov }) => TpoMov === 'D').map(adjustment),
    surcharges: globals.filter(({ TpoMov }) => TpoMov === 'R').map(adjustment),
  }
}
