/** A set of our own, small enough to be reckoned in the head, with every kind of section but exports. */

const T = '\t'
const heading = (id: string) => [`CASO ${id}`, '==============']
const reference = (document: string, id: string, reason: string) => [
  `REFERENCIA${T}${T}${document} CORRESPONDIENTE A CASO ${id}`,
  `RAZON REFERENCIA${T}${reason}`,
]

export const BASICO: readonly string[] = [
  'SET BASICO - NUMERO DE ATENCION: 900001',
  '',
  ...heading('900001-1'),
  `DOCUMENTO${T}FACTURA ELECTRONICA`,
  '',
  `ITEM${T}${T}CANTIDAD${T}PRECIO UNITARIO${T}DESCUENTO ITEM`,
  `Mesa AFECTO${T}     10${T}${T}   1000${T}${T}     10%`,
  `Silla AFECTO${T}      4${T}${T}    500`,
  '',
  ...heading('900001-2'),
  `DOCUMENTO${T}FACTURA ELECTRONICA`,
  '',
  `ITEM${T}${T}CANTIDAD${T}PRECIO UNITARIO`,
  `Cama AFECTO${T}      2${T}${T}  10000`,
  `Flete EXENTO${T}      1${T}${T}   3000`,
  '',
  `DESCUENTO GLOBAL ITEMES AFECTOS${T}${T}     25%`,
  '',
  ...heading('900001-3'),
  `DOCUMENTO${T}${T}NOTA DE CREDITO ELECTRONICA`,
  ...reference('FACTURA ELECTRONICA', '900001-1', 'CORRIGE GIRO DEL RECEPTOR'),
  '',
  ...heading('900001-4'),
  `DOCUMENTO${T}${T}NOTA DE CREDITO ELECTRONICA`,
  ...reference('FACTURA ELECTRONICA', '900001-1', 'DEVOLUCION DE MERCADERIAS'),
  '',
  `ITEM${T}${T}CANTIDAD`,
  `Mesa AFECTO${T}      3`,
  '',
  ...heading('900001-5'),
  `DOCUMENTO${T}${T}NOTA DE CREDITO ELECTRONICA`,
  ...reference('FACTURA ELECTRONICA', '900001-2', 'ANULA FACTURA'),
  '',
  ...heading('900001-6'),
  `DOCUMENTO${T}${T}NOTA DE DEBITO ELECTRONICA`,
  ...reference('NOTA DE CREDITO ELECTRONICA', '900001-3', 'ANULA NOTA DE CREDITO ELECTRONICA'),
]

export const GUIAS: readonly string[] = [
  'SET GUIA DE DESPACHO - NUMERO DE ATENCION: 900002',
  '',
  ...heading('900002-1'),
  `DOCUMENTO${T}GUIA DE DESPACHO`,
  `MOTIVO:${T}${T}TRASLADO DE MATERIALES ENTRE BODEGAS DE LA EMPRESA`,
  '',
  `ITEM${T}${T}CANTIDAD${T}`,
  `ITEM 1${T}${T}      5${T}`,
  '',
  ...heading('900002-2'),
  `DOCUMENTO${T}GUIA DE DESPACHO`,
  `MOTIVO:${T}${T}VENTA`,
  `TRASLADO POR: ${T}EMISOR DEL DOCUMENTO AL LOCAL DEL CLIENTE`,
  '',
  `ITEM${T}${T}CANTIDAD${T}PRECIO UNITARIO`,
  `ITEM 1${T}${T}      5${T}${T}    100`,
  '',
  ...heading('900002-3'),
  `DOCUMENTO${T}GUIA DE DESPACHO`,
  `MOTIVO:${T}${T}VENTA`,
  `TRASLADO POR: ${T}CLIENTE`,
  '',
  `ITEM${T}${T}CANTIDAD${T}PRECIO UNITARIO`,
  `ITEM 1${T}${T}      7${T}${T}    100`,
]

export const EXENTA: readonly string[] = [
  'SET FACTURA EXENTA - NUMERO DE ATENCION: 900003',
  'INDICACION: los documentos exentos no llevan IVA.',
  '',
  ...heading('900003-1'),
  `DOCUMENTO${T}FACTURA NO AFECTA O EXENTA ELECTRONICA`,
  `ITEM${T}${T}CANTIDAD${T}UNIDAD MEDIDA${T}VALOR UNITARIO`,
  `HORAS DE CLASE${T}      6${T}${T}Hora${T}${T}   1000`,
  '',
  ...heading('900003-2'),
  `DOCUMENTO${T}${T}NOTA DE CREDITO ELECTRONICA`,
  ...reference('FACTURA NO AFECTA O EXENTA ELECTRONICA', '900003-1', 'MODIFICA MONTO'),
  `ITEM${T}${T}VALOR UNITARIO`,
  `HORAS DE CLASE${T}    150`,
]

export const COMPRA: readonly string[] = [
  'SET BASICO CASO GENERAL DE EMISOR DE FACTURA DE COMPRA - NUMERO DE ATENCION: 900004',
  '',
  ...heading('900004-1'),
  `DOCUMENTO${T}FACTURA DE COMPRA ELECTRONICA`,
  `ITEM${T}${T}CANTIDAD${T}PRECIO UNITARIO`,
  `Producto 1${T}    100${T}${T}    100`,
  '',
  ...heading('900004-2'),
  `DOCUMENTO${T}${T}NOTA DE CREDITO ELECTRONICA`,
  ...reference('FACTURA DE COMPRA ELECTRONICA', '900004-1', 'DEVOLUCION DE MERCADERIA ITEM 1'),
  `ITEM${T}${T}CANTIDAD`,
  `Producto 1${T}     40`,
]

export const VENTAS: readonly string[] = [
  'SET LIBRO DE VENTAS - NUMERO DE ATENCION: 900005',
  '',
  'CONSTRUYA EL LIBRO DE VENTAS CON LOS DOCUMENTOS DE SUS SET.',
]

const RULE = '='.repeat(74)

export const COMPRAS: readonly string[] = [
  'SET LIBRO DE COMPRAS - NUMERO DE ATENCION: 900006',
  RULE,
  `TIPO DOCUMENTO${T}${T}${T}${T}FOLIO`,
  'OBSERVACIONES',
  `MONTO EXENTO${T}MONTO AFECTO`,
  RULE,
  `FACTURA${T}${T}${T}${T}${T}11`,
  'FACTURA DEL GIRO CON DERECHO A CREDITO',
  `    200${T}${T}   1000`,
  '',
  `FACTURA ELECTRONICA${T}${T}${T}12`,
  'FACTURA CON IVA USO COMUN',
  `${T}${T}   2000`,
  '',
  `FACTURA ELECTRONICA${T}${T}${T}13`,
  'ENTREGA GRATUITA DEL PROVEEDOR',
  `${T}${T}   3000`,
  '',
  `FACTURA DE COMPRA ELECTRONICA${T}${T}14`,
  'COMPRA CON RETENCION TOTAL DEL IVA',
  `${T}${T}   4000`,
  '',
  `NOTA DE CREDITO${T}${T}${T}${T}15`,
  'NOTA DE CREDITO POR DESCUENTO A FACTURA 11',
  `${T}${T}    100`,
  '',
  `FACTURA NO AFECTA O EXENTA${T}${T}16`,
  'FACTURA DEL GIRO CON DERECHO A CREDITO',
  '    700',
  RULE,
  'OBSERVACIONES GENERALES',
  '-----------------------',
  'EN FACTURA CON IVA USO COMUN CONSIDERE QUE EL FACTOR DE PROPORCIONALIDAD',
  'DEL IVA ES DE 0.25',
]

export const LIBRO_GUIAS: readonly string[] = [
  'SET LIBRO DE GUIAS - NUMERO DE ATENCION: 900007',
  'CONSTRUYA EL LIBRO CON LAS GUIAS DE SU SET,',
  'TENIENDO EN CUENTA LAS SIGUIENTES CONSIDERACIONES',
  '- EL CASO 2 CORRESPONDE A UNA GUIA QUE SE FACTURO EN EL PERIODO',
  '- EL CASO 3 CORRESPONDE A UNA GUIA ANULADA',
]

export const BOLETAS: readonly string[] = [
  'Folio;IndExe;NmbItem;QtyItem;UnmdItem;PrcItem;Anular;Rebajar',
  '1;;"Clavo de 2""";2;Kg;595;1;',
  '2;;lápiz;1;;1190;;50',
  '3;1;clase exenta;1;;500;;',
]

export const bytesOf = (...sections: readonly (readonly string[])[]) =>
  Buffer.from(sections.map((lines) => lines.join('\r\n')).join(`\r\n${'-'.repeat(80)}\r\n`), 'latin1')

/** Out of order on purpose: books come between the sets, as the SII writes them. */
export const OWN_SET = bytesOf(VENTAS, COMPRAS, BASICO, LIBRO_GUIAS, GUIAS, COMPRA, EXENTA, BOLETAS)
