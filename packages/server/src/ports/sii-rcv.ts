import type { EstadoContable, IvaCode, TipoCompra } from '../catalog/rcv.ts'
import type { EmpresaScope } from '../kernel/scope.ts'

export interface RcvQuestion {
  readonly empresa: EmpresaScope
  /** `YYYY-MM` */
  readonly period: string
  readonly at: Date
}

/** One export of the register, as the SII gives it: CSV with `;`, its first line the names of the columns. */
export interface RcvFile {
  readonly side: 'purchase' | 'sale'
  /** Null for sales: they have no such state. */
  readonly estado_contable: EstadoContable | null
  readonly file: Uint8Array
}

/** What the register holds by the month: boletas and vouchers are in its summary (getResumen) and in no export. */
export interface RcvSummary {
  readonly side: 'purchase' | 'sale'
  readonly tipo_doc: number
  readonly documents: number
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
}

export interface RcvExports {
  /** The four of purchases and the one of sales, each there also when it holds nothing. */
  readonly files: readonly RcvFile[]
  readonly summaries: readonly RcvSummary[]
}

/** An entry as the SII knows it. */
export interface RcvOrder extends RcvQuestion {
  readonly tipo_doc: number
  readonly folio: number
  readonly counterparty_rut: string
}

/** The registers of purchases and sales of the SII. */
export interface SiiRcv {
  readRcv(question: RcvQuestion): Promise<RcvExports>
  /** Changes the tipo of a purchase (cambiaTipoCompra). 7 takes it out of what counts, any other brings it back. */
  characterize(
    order: RcvOrder & { readonly tipo_compra: TipoCompra; readonly iva_not_recoverable_code: IvaCode | null },
  ): Promise<void>
  /** Moves a purchase that was acknowledged, or whose eight days lapsed, to REGISTRO; or puts one off to PENDIENTE. */
  moveEstado(order: RcvOrder & { readonly estado_contable: EstadoContable }): Promise<void>
}
