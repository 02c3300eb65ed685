import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { EmpresaRow } from './row.ts'

const { unproven_empresa_days: DAYS, unproven_warning_days: WARNING_DAYS } = RETENTION

/** When the account of an empresa whose RUT nothing proves is told that it will be archived. */
export function warningAt({ created_at }: Pick<EmpresaRow, 'created_at'>): Date {
  return daysFrom(created_at, DAYS - WARNING_DAYS)
}

/** Nobody loses an empresa without three days' notice, however late that comes. */
export function archivedAt({ created_at }: Pick<EmpresaRow, 'created_at'>, warned_at: Date): Date {
  const ends = [daysFrom(created_at, DAYS), daysFrom(warned_at, WARNING_DAYS)]
  return new Date(Math.max(...ends.map(Number)))
}
