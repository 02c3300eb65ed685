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
export const FIXED_ASSETS: TipoCompra = 4
export const COMMON_USE: TipoCompra = 5
export const NOT_RECOVERABLE: TipoCompra = 6
export const NOT_INCLUDED: TipoCompra = 7
export const OTHER_REASON: IvaCode = 9

export const ESTADOS_CONTABLES = ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'] as const
export type EstadoContable = (typeof ESTADOS_CONTABLES)[number]

/** What the register holds by the month and not by the document. */
export const SUMMARIZED_TIPOS: readonly number[] = [39, 41, 48]

// Notas de crédito of paper, electronic and of exports. The SII writes their amounts positive: the tipo takes away.
const CREDIT_NOTES: readonly number[] = [60, 61, 112]

/** Whether the amounts of a tipo add to the total of its side or take away from it. */
export function signOf(tipo_doc: number): 1 | -1 {
  return CREDIT_NOTES.includes(tipo_doc) ? -1 : 1
}
