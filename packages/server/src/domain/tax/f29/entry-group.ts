/**
 * Entries of the registers that the form treats alike, added up. One entry alone is a group of one: nothing that the
 * form asks depends on more than what is here. Amounts are positive, as the register writes them.
 */
export interface EntryGroup {
  readonly side: 'purchase' | 'sale'
  readonly tipo_doc: number
  readonly tipo_compra: number | null
  readonly tipo_venta: number | null
  /** The tipo that a nota refers to. */
  readonly reference_tipo_doc: number | null
  /** Of facturas de compra: the buyer kept the whole IVA. */
  readonly fully_withheld: boolean
  readonly entries: number
  /** More than `entries` where one stands for a month of boletas. */
  readonly documents: number
  readonly net: number
  readonly exempt: number
  /** IVA of a sale; of a purchase, the part that gives credit. */
  readonly iva: number
  readonly iva_not_recoverable: number
  readonly iva_common_use: number
  /** IVA that the buyer kept to pay it itself (D.L. 825, art. 3). */
  readonly withheld: number
  /** IVA of a sale that is its seller's to pay: not withheld, and of a nota de crédito only what still lowers the debit. */
  readonly owed: number
  /** Notas de crédito that came too late to lower the debit (D.L. 825, art. 21 and 70). */
  readonly late: boolean
  /** Taxes beside IVA, by their code in a DTE. */
  readonly taxes: readonly { readonly code: number; readonly amount: number }[]
}

/** The amount that a group adds to a code; negative where a nota de crédito takes away within the code itself. */
export interface Contribution {
  readonly code: number
  readonly amount: number
}
