import { santiagoTimestamp } from '../dates.ts'
import { dotted } from '../rut.ts'

const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
]

/** `1.234.567`. */
export function thousands(value: number): string {
  return value < 0 ? `-${dotted(String(-value))}` : dotted(String(value))
}

/** `$ 1.234.567`, as totals are printed. */
export function pesos(value: number): string {
  return value < 0 ? `-$ ${thousands(-value)}` : `$ ${thousands(value)}`
}

/** `1.234,5678`: the decimals that the value has, at most six. */
export function decimal(value: number): string {
  const [integer = '0', fraction = ''] = value.toFixed(6).split('.')
  const decimals = fraction.replace(/0{1,6}$/, '')
  return decimals ? `${thousands(Number(integer))},${decimals}` : thousands(Number(integer))
}

/** `15-11-2026`. */
export function shortDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return day ? `${day}-${month}-${year}` : date
}

/** `15 de noviembre de 2026`. */
export function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  const name = MONTHS[(month ?? 0) - 1]
  return name ? `${day} de ${name} de ${year}` : date
}

/** `15-11-2026 08:30` in Santiago, whatever zone the instant was written in. */
export function shortMoment(moment: string): string {
  const zoned = moment.includes('T') && /(?:Z|[+-]\d{2}:?\d{2})$/.test(moment)
  const local = zoned ? santiagoTimestamp(new Date(moment)) : moment
  const time = /T(\d{2}:\d{2})/.exec(local)?.[1]
  return time ? `${shortDate(local)} ${time}` : shortDate(local)
}
