import { invalidField } from '../kernel/problem.ts'

/** An instant a caller wrote. The wire's format admits leap seconds and PostgreSQL other years; no calendar here does. */
export function instantOf(param: string, text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(param, 'it must be an instant of the calendar.')
  return at
}
