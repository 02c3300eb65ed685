/** Suppliers about whose documents the register of the sandbox does something out of the ordinary. */
interface SupplierMagic {
  readonly emisor_rut: string
  readonly happens: string
  /** What it answers to everything, by the code of the SII; absent when it does not answer at all. */
  readonly code?: number
}

// biome-ignore format: one value per line reads as the table it is
export const MAGIC_SUPPLIERS: readonly SupplierMagic[] = [
  { emisor_rut: '77333301-7', happens: 'the SII does not answer' },
  { emisor_rut: '77333302-5', happens: 'the SII has not received the document', code: 18 },
  { emisor_rut: '77333303-3', happens: 'the SII says that only the receptor may act', code: 17 },
  { emisor_rut: '77333304-1', happens: 'the SII says that the answer was registered before, by other means', code: 7 },
]

/** The words of the register, by code (WS Registro de Aceptación o Reclamo de un DTE, v1.2). */
export const REGISTER_SENTENCES: Readonly<Record<number, string>> = {
  0: 'Acción Completada OK',
  3: 'Tipo de documento no corresponde',
  6: 'No es posible dar acuse de recibo, el documento ya fue reclamado',
  7: 'Evento registrado previamente',
  8: 'Pasados 8 días después de la recepción no es posible registrar reclamos o eventos',
  11: 'No es posible reclamar, el documento ya fue aceptado',
  12: 'No es posible aceptar, el documento ya fue reclamado',
  13: 'No es posible reclamar, ya se otorgó recibo de mercaderías o servicios',
  17: 'Sólo el receptor puede registrar la acción',
  18: 'El documento no ha sido recibido en el SII',
  19: 'Ya existe un reclamo por falta de mercaderías',
}
