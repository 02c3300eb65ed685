import type { Finding } from './verdict.ts'

/**
 * What the SII remarks, by code: section, level (3 refuses, 1 and 2 observe), number. Those below 900 were seen in the
 * SII's own answers, e-mails and public notes on them. Those from 900 on are ours (unverified): the SII refuses such a
 * file too, and no source tells the number it gives.
 */
export const FINDINGS = {
  // The file
  'ENV-3-0': 'Error Schema XML',
  'ENV-3-6': 'Usuario sin permiso para firmar o enviar documentos de la empresa',
  'ENV-3-900': 'Firma del Envio Incorrecta',
  'ENV-3-901': 'Certificado del Envio no vigente o no acreditado',

  // Its carátula
  'CRT-3-11': 'RUT envia diferente al Upload',
  'CRT-3-19': 'Fecha/Numero Resolucion Invalido',
  'CRT-3-900': 'RUT Emisor de Caratula diferente al Upload',
  'CRT-3-901': 'RUT Receptor de Caratula Invalido',
  'CRT-3-902': 'Cantidad de DTE informados no corresponde',
  'CRT-3-903': 'Empresa no autorizada a emitir DTE',
  'CRT-3-904': 'Fecha de Firma del Envio Invalida',
  'CRT-3-905': 'RUT de Caratula Invalido',
  'CRT-3-906': 'Firmante del Envio distinto de RUT envia',

  // The folio and its document
  'DTE-3-100': 'DTE Repetido',
  'DTE-3-101': 'Folio para este Tipo de documento ya fue recibido en el SII',
  'DTE-3-505': 'Firma DTE Incorrecta',
  'DTE-3-601': 'Folio Anulado',
  'DTE-3-900': 'RUT Emisor del DTE distinto al de Caratula',
  'DTE-3-901': 'Empresa no autorizada a emitir este Tipo de documento',
  'DTE-3-902': 'Firmante del DTE no autorizado por la empresa',
  'DTE-3-903': 'Certificado del DTE no vigente o no acreditado',
  'DTE-3-904': 'Fecha de Firma del DTE Invalida',

  // The range of folios
  'CAF-3-516': 'CAF no corresponde al ambiente',
  'CAF-3-517': 'CAF Vencido',
  'CAF-3-605': 'Folio fuera del rango autorizado',
  'CAF-3-900': 'Firma del CAF Incorrecta',
  'CAF-3-901': 'RUT del CAF distinto al del Emisor',
  'CAF-3-902': 'Tipo de documento del CAF distinto al del DTE',
  'CAF-3-903': 'CAF no registrado en el SII',

  // The timbre. Public notes give 510 the level 2 as well; the order in which the SII looks (an invalid timbre hides the
  // signature) says that it refuses.
  'TED-1-647': 'Fecha Timbre fuera de rango permitido',
  'TED-3-510': 'Firma Timbre Electronico Incorrecta',
  'TED-3-900': 'Datos del Timbre distintos a los del DTE',

  // The header
  'HED-1-232': 'Monto Neto debe ser mayor que cero',
  'HED-2-260': 'Monto Total no cuadra',
  'HED-3-305': 'Fecha de Emision anterior a la autorizacion del documento',
  'HED-3-861': 'Actividad Economica no registrada',
  'HED-2-900': 'IVA no corresponde a Tasa por Monto Neto',
  'HED-2-901': 'Monto Neto o Exento no corresponde al Detalle',
  'HED-2-902': 'Retencion no informada en Factura de Compra',
  'HED-3-900': 'RUT Invalido',
  'HED-3-901': 'Fecha de Emision posterior a la fecha de recepcion',
  'HED-3-902': 'Dato obligatorio para el Tipo de documento no informado',
  'HED-3-903': 'Documento exento con Monto Neto o IVA',
  'HED-3-904': 'Todos los items son exentos: corresponde Factura Exenta',
  'HED-3-905': 'Traslado interno con Receptor distinto del Emisor',
  'HED-3-906': 'Emisor y Receptor no pueden ser el mismo',

  // The lines
  'DET-1-200': 'Valor Detalle Distinto a Precio * Cantidad',
  'DET-3-854': 'Debe incluir nombre de item',
  'DET-3-900': 'Numero de linea de Detalle repetido o fuera de orden',

  // The references
  'REF-3-415': 'Nota de Credito o Debito sin referencia valida',
  'REF-3-750': 'DTE Referenciado no recibido en el SII',
  'REF-3-751': 'RUT Receptor distinto al del documento referenciado',
  'REF-3-758': 'Codigo de Referencia no informado',
  'REF-2-780': 'Anulacion presenta diff. de monto con doc. referenciado',
  'REF-2-900': 'Fecha de Referencia distinta a la del documento',
  'REF-2-901': 'Nota de Credito supera el monto del documento referenciado',
  'REF-2-902': 'Correccion de texto con montos',
  'REF-3-900': 'Tipo de documento de Referencia no existe',
  'REF-3-901': 'Tipo de documento no puede ser referenciado por esta Nota',
  'REF-3-902': 'Anulacion o correccion de texto con mas de un documento',
  'REF-3-903': 'Fecha de Referencia posterior a la de Emision',
  'REF-3-904': 'Folio de Referencia Invalido',

  // A cesión
  'RTC-3-900': 'Firma Incorrecta',
  'RTC-3-901': 'Caratula no corresponde a la ultima Cesion',
  'RTC-3-902': 'RUT sin permiso en la empresa Cedente',
  'RTC-3-903': 'DTE cedido no recibido en el SII',
  'RTC-3-904': 'DTE cedido distinto al recibido en el SII',
  'RTC-3-905': 'Datos de la Cesion distintos a los del DTE',
  'RTC-3-906': 'Cedente no es el tenedor del documento',
  'RTC-3-907': 'Secuencia de Cesion Invalida',
  'RTC-3-908': 'Monto de la Cesion supera el del documento',
  'RTC-3-909': 'Fecha de Cesion o de vencimiento Invalida',
  'RTC-3-910': 'Firmante no esta entre los RUT autorizados por el Cedente',
  'RTC-3-911': 'Falta Recibo de mercaderias o Declaracion Jurada',
  'RTC-3-912': 'RUT Invalido',
} as const

export type FindingCode = keyof typeof FINDINGS

/** What a stranger wrote may stand in it at any length. */
const LONGEST_DETAIL = 1_000

export function finding(code: FindingCode, detail: string | null = null): Finding {
  return { code, glosa: FINDINGS[code], detail: detail?.slice(0, LONGEST_DETAIL) ?? null }
}

/** As the SII shows what it compared. */
export function differs(found: string | number | null, expected: string | number | null): string {
  return `[${found ?? ''}] <> [${expected ?? ''}]`
}

export function refuses({ code }: Finding): boolean {
  return code.split('-')[1] === '3'
}
