const SHAPE = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** An instant moved on by an ISO 8601 duration: years and months by the calendar, the rest by the second. UTC. */
export function addDuration(start: Date, duration: string): Date | null {
  const match = SHAPE.exec(duration)
  if (!match || duration.length > 40) return null
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const moved = addMonthsUtc(start, years * 12 + months)
  const rest = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  const at = new Date(moved.getTime() + rest * 1000)
  return Number.isNaN(at.getTime()) ? null : at
}

/** The same day some months on, or the last of a shorter month. */
export function addMonthsUtc(start: Date, months: number): Date {
  const moved = new Date(start)
  moved.setUTCMonth(start.getUTCMonth() + months)
  // A day the month does not have spills over; day 0 is the last one of the month before.
  if (moved.getUTCDate() !== start.getUTCDate()) moved.setUTCDate(0)
  return moved
}
