import type { Resolucion } from '@timbre/dte/emission'
import { type TipoDte, tipo } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'

type Declared = Pick<EmpresaRow, 'mode' | 'resolucion_numero' | 'resolucion_fecha' | 'resolucion_boletas_fecha'>

/** The resolución an envelope and a printed page name: the one that was declared, or the sandbox's. Boletas have a date of their own. */
export function resolucionFor(empresa: Declared, tipo_dte: TipoDte): Resolucion | null {
  const { resolucion_numero, resolucion_fecha, resolucion_boletas_fecha } = empresa
  const boletas = tipo(tipo_dte).envelope === 'EnvioBOLETA' && resolucion_boletas_fecha !== null
  if (boletas) return { date: resolucion_boletas_fecha, number: 0 }
  if (resolucion_fecha !== null) return { date: resolucion_fecha, number: resolucion_numero ?? 0 }
  return MODES[empresa.mode].resolucion_when_undeclared
}
