import { addDays, DAY_MS } from '@timbre/dte/values'

function at(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month - 1, day))
}

const isoOf = (date: Date) => date.toISOString().slice(0, 10)
const plus = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS)

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm of Meeus, Jones and Butcher). */
export function easterOf(year: number): Date {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = Math.floor(century / 4)
  const drift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leaps - drift + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const month = Math.floor((epact + weekday - 7 * shift + 114) / 31)
  return at(year, month, ((epact + weekday - 7 * shift + 114) % 31) + 1)
}

/** From Tuesday to Thursday back to the Monday of that week, from Friday on to the next one (Ley 19.668). */
function toMonday(date: Date): Date {
  const weekday = date.getUTCDay()
  if (weekday >= 2 && weekday <= 4) return plus(date, 1 - weekday)
  return weekday === 5 ? plus(date, 3) : date
}

/** Iglesias Evangélicas: from Tuesday to the Friday before, from Wednesday to the Friday after (Ley 20.299). */
function evangelical(year: number): Date {
  const date = at(year, 10, 31)
  const weekday = date.getUTCDay()
  if (weekday === 2) return plus(date, -4)
  return weekday === 3 ? plus(date, 2) : date
}

/** Pueblos Indígenas, the day of the winter solstice in Chile (Ley 21.357; its first was fixed on the 21st). */
function solstice(year: number): Date[] {
  if (year < 2021) return []
  return [at(year, 6, year > 2021 && year % 4 < 2 ? 20 : 21)]
}

/** The days that bridge the Fiestas Patrias and New Year to a weekend (Leyes 20.215, 20.983). */
function bridges(year: number): Date[] {
  const weekday = at(year, 9, 18).getUTCDay()
  const days: Date[] = []
  if (weekday === 2 || weekday === 6) days.push(at(year, 9, 17))
  if (weekday === 3) days.push(at(year, 9, 20))
  if (year >= 2017 && at(year, 1, 1).getUTCDay() === 0) days.push(at(year, 1, 2))
  return days
}

/**
 * The holidays of a year, as `YYYY-MM-DD`. Days of elections are not here: they are Sundays, which no declaration is
 * due on anyway.
 */
export function holidaysOf(year: number): ReadonlySet<string> {
  const easter = easterOf(year)
  const fixed = [
    [1, 1],
    [5, 1],
    [5, 21],
    [7, 16],
    [8, 15],
    [9, 18],
    [9, 19],
    [11, 1],
    [12, 8],
    [12, 25],
  ].map(([month = 1, day = 1]) => at(year, month, day))
  const moved = [toMonday(at(year, 6, 29)), toMonday(at(year, 10, 12)), evangelical(year)]
  const all = [...fixed, plus(easter, -2), plus(easter, -1), ...moved, ...solstice(year), ...bridges(year)]
  return new Set(all.map(isoOf))
}

const holidays = new Map<number, ReadonlySet<string>>()

function isHoliday(day: string): boolean {
  const year = Number(day.slice(0, 4))
  const known = holidays.get(year) ?? holidaysOf(year)
  holidays.set(year, known)
  return known.has(day)
}

/** Saturdays and the last day of the year count as holidays for taxes (Código Tributario, art. 36). */
export function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !day.endsWith('-12-31') && !isHoliday(day)
}

/** The same day, or the next one on which the tax offices work. */
export function nextBusinessDay(day: string): string {
  let next = day
  while (!isBusinessDay(next)) next = addDays(next, 1)
  return next
}

/** The business day that lies `count` of them before a day, which does not count itself. */
export function businessDaysBefore(day: string, count: number): string {
  let before = day
  for (let left = count; left > 0; ) {
    before = addDays(before, -1)
    if (isBusinessDay(before)) left--
  }
  return before
}

/** How many business days there are from one day to another, without the latter; never more than `most`. */
export function countBusinessDays(from: string, until: string, most: number): number {
  let count = 0
  for (let day = from; day < until && count < most; day = addDays(day, 1)) if (isBusinessDay(day)) count++
  return count
}

/** The business day number `count` from a day on, which is the first where it is one. */
export function businessDayFrom(day: string, count: number): string {
  let found = nextBusinessDay(day)
  for (let left = count; left > 1; left--) found = nextBusinessDay(addDays(found, 1))
  return found
}
