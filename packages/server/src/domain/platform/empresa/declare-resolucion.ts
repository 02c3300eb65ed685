import { santiagoDate } from '@timbre/dte/values'
import { advance } from '../../../kernel/advance.ts'
import type { Sql } from '../../../kernel/db.ts'
import { invalidField } from '../../../kernel/problem.ts'
import { writeDeclared } from './resolucion-claim.ts'
import { resolucionMachine } from './resolucion-machine.ts'
import type { EmpresaRow } from './row.ts'

/** The SII's schema takes no date before this one (SiiTypes_v10.xsd, FechaType). */
const FIRST_DATE = '2000-01-01'

/** A resolución exists before it is declared: its date is a day that already was, in Santiago. */
export function checkResolucionDate(param: string, fecha: string, now: Date): void {
  if (fecha > santiagoDate(now)) throw invalidField(param, 'it must not be in the future.')
  if (fecha < FIRST_DATE) throw invalidField(param, `it must not be before ${FIRST_DATE}.`)
}

/** Writes down a claim. The same one again changes nothing, unless the SII refused it: then it may be asked anew. */
export async function declareResolucion(
  sql: Sql,
  row: EmpresaRow,
  declared: { numero: number; fecha: string },
): Promise<EmpresaRow> {
  const same = row.resolucion_numero === declared.numero && row.resolucion_fecha === declared.fecha
  if (same && row.resolucion_status !== 'refused') return row
  await writeDeclared(sql, row, declared)
  const advanced = await advance<EmpresaRow, typeof resolucionMachine>(sql, resolucionMachine, row, row.id, 'declared')
  return advanced.row
}
