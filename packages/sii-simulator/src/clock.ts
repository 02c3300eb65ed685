/**
 * The simulator's clock: the machine's, moved by what the control API asked for, or standing still at an instant. All of
 * its time comes from here.
 */
export type Clock = {
  now(): number
  offset(): number
  isFrozen(): boolean
  /** Goes on from this instant, or stands still at it. */
  set(instant: number, frozen?: boolean): void
}

export type KeptClock = { offset: number; frozen_at: number | null }

export function openClock(machine: () => number, store: { load(): KeptClock; save(kept: KeptClock): void }): Clock {
  let { offset, frozen_at } = store.load()
  const now = () => frozen_at ?? machine() + offset
  return {
    now,
    offset: () => now() - machine(),
    isFrozen: () => frozen_at !== null,
    set(instant, frozen = false) {
      offset = instant - machine()
      frozen_at = frozen ? instant : null
      store.save({ offset, frozen_at })
    },
  }
}

export type CivilTime = { date: string; time: string }

const SANTIAGO = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Santiago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Every date of the SII is one of Santiago, whatever the machine's zone. */
export function santiago(instant: number): CivilTime {
  const [date = '', time = ''] = SANTIAGO.format(instant).split(' ')
  return { date, time }
}

/** `2026-10-05 12:06:44`, as uploads write it. */
export function isoStamp(instant: number): string {
  const { date, time } = santiago(instant)
  return `${date} ${time}`
}

/** `05-10-2026 12:06:44`, or with slashes as the boleta service writes it. */
export function dayFirstStamp(instant: number, separator: '-' | '/' = '-'): string {
  const { date, time } = santiago(instant)
  return `${date.split('-').reverse().join(separator)} ${time}`
}
