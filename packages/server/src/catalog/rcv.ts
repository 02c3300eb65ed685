import { tiposWhere } from '@timbre/dte/values'
/** Del giro, supermercados, bienes raíces, activo fijo, IVA uso común, IVA no recuperable, no corresponde incluir. */
export const TIPOS_COMPRA = [1, 2, 3, 4, 5, 6, 7] as const
export type TipoCompra = (typeof TIPOS_COMPRA)[number]

/** Del giro, activo fijo, bienes raíces. */
export const TIPOS_VENTA = [1, 2, 3] as const
export type TipoVenta = (typeof TIPOS_VENTA)[number]

/** Why IVA gives no credit: exempt use, out of term, refused expense, free delivery, other (IECV, Código IVA No Rec.). */
export const IVA_CODES = [1, 2, 3, 4, 9] as const
export type IvaCode = (typeof IVA_CODES)[number]

export const DEL_GIRO: TipoCompra = 1
const FIXED_ASSETS: TipoCompra = 4
const COMMON_USE: TipoCompra = 5
export const NOT_RECOVERABLE: TipoCompra = 6
export const NOT_INCLUDED: TipoCompra = 7
export const OTHER_REASON: IvaCode = 9

export const ESTADOS_CONTABLES = ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'] as const
export type EstadoContable = (typeof ESTADOS_CONTABLES)[number]

/** Tipos that the register holds by the month and not by the document. */
export const SUMMARIZED_TIPOS = tiposWhere(({ registered }) => registered === 'monthly')

/** The columns of the register that the IVA of a purchase is split over. */
export interface IvaPlaces {
  readonly iva: number
  readonly iva_not_recoverable: number
  readonly iva_not_recoverable_code: IvaCode | null
  readonly iva_common_use: number
  readonly iva_fixed_assets: number
  readonly net_fixed_assets: number
}

/**
 * Where the IVA of a purchase stands once it is characterized: it moves as a whole. Of fixed assets it gives credit and
 * is told apart; for common use it waits for the proportion of the month; the rest of what is not del giro gives none.
 */
export function placeIva(
  { net, ...now }: IvaPlaces & { readonly net: number },
  tipo_compra: TipoCompra,
  code: IvaCode | null,
): IvaPlaces {
  const whole = now.iva + now.iva_not_recoverable + now.iva_common_use
  const nowhere = {
    iva: 0,
    iva_not_recoverable: 0,
    iva_not_recoverable_code: null,
    iva_common_use: 0,
    iva_fixed_assets: 0,
    net_fixed_assets: 0,
  }
  if (tipo_compra === COMMON_USE) return { ...nowhere, iva_common_use: whole }
  if (tipo_compra === NOT_RECOVERABLE || tipo_compra === NOT_INCLUDED) {
    return { ...nowhere, iva_not_recoverable: whole, iva_not_recoverable_code: code ?? OTHER_REASON }
  }
  if (tipo_compra === FIXED_ASSETS) return { ...nowhere, iva: whole, iva_fixed_assets: whole, net_fixed_assets: net }
  return { ...nowhere, iva: whole }
}
