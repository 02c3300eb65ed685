import { checkDigit } from '@timbre/dte/values'

export const NAMES_HEADER = 'RUT\tDV\tCOD_SUBTIPO\tRAZON_SOCIAL\tFECHA_INICIO_VIG\tFECHA_TG_VIG'
export const ACTIVITIES_HEADER =
  'RUT\tDV\tCODIGO ACTIVIDAD\tDESC. ACTIVIDAD ECONOMICA\tFECHA\tAFECTA A IVA\tCATEGORIA TRIBUTARIA'
export const ADDRESSES_HEADER =
  'RUT\tDV\tVIGENCIA\tFECHA\tTIPO_DIRECCION\tCALLE\tNUMERO\tBLOQUE\tDEPARTAMENTO\tVILLA_POBLACION\tCIUDAD\tCOMUNA\tREGION'

/** A RUT in its two columns. */
export function columns(rut: number): string {
  return `${rut}\t${checkDigit(rut)}`
}

/** A file of names, as many as wanted, from 60.000.000 on. */
export function namesFile(count: number, name = 'EMPRESA DE PRUEBA'): string {
  const rows = Array.from({ length: count }, (_, i) => `${columns(60_000_000 + i)}\t125\t${name} ${i}\t01-03-2015\t`)
  return `${NAMES_HEADER}\n${rows.join('\n')}\n`
}
