import { type Output, plain } from '../output.ts'
import { type LedgerEvent, subjectOf } from './event.ts'
import type { Attempt, Delivery, Target } from './forward.ts'
import type { Place } from './place.ts'

/** What a person sees of a run: a line for each attempt, and what happened around them. */
export class Teller {
  readonly #out: Output
  readonly #place: Place
  readonly #target: Target
  readonly #began = Date.now()
  #missed = 0
  #caught_up = false
  #away_since: number | null = null

  constructor(out: Output, place: Place, target: Target) {
    this.#out = out
    this.#place = place
    this.#target = target
  }

  begin(): void {
    const { checkpoint, resumed, file } = this.#place
    this.#out.note(`Forwarding ${checkpoint.mode} events to ${this.#target.url}.`)
    this.#out.note(`They are signed with ${this.#out.paint('bold', checkpoint.secret)}`)
    const where = resumed
      ? `Carrying on from ${checkpoint.done_at}`
      : checkpoint.after
        ? `Beginning after ${checkpoint.after}`
        : 'Beginning with the first event'
    this.#out.note(`${where} (${file}). Ctrl-C stops; nothing is lost.`)
  }

  heard(event: LedgerEvent): void {
    if (this.#caught_up || Date.parse(event.created_at) > this.#began) return
    this.#missed++
  }

  /** Told once at the beginning, and again whenever the server was away. */
  caughtUp(): void {
    if (this.#away_since !== null) {
      const seconds = Math.round((Date.now() - this.#away_since) / 1000)
      this.#out.note(this.#out.paint('green', `The server answers again, after ${seconds} s. Nothing was lost.`))
      this.#away_since = null
    }
    if (this.#caught_up) return
    this.#caught_up = true
    const { resumed, checkpoint } = this.#place
    const since = resumed ? ` since ${checkpoint.done_at}` : ''
    const events = `${this.#missed} event${this.#missed === 1 ? '' : 's'}`
    this.#out.note(this.#missed > 0 ? `Caught up with ${events}${since}. Listening.` : 'Nothing was missed. Listening.')
  }

  away(why: string): void {
    if (this.#away_since !== null) return
    this.#away_since = Date.now()
    this.#out.note(this.#out.paint('yellow', `${why} Trying again until it answers; events wait in its ledger.`))
  }

  waiting(): void {
    this.#out.note(this.#out.paint('yellow', `Nobody listens at ${this.#target.url}: waiting until something does.`))
  }

  attempted({ id, event }: Delivery, replay: boolean): (attempt: Attempt, last: boolean) => void {
    return (attempt, last) => {
      const { status, error, ms, delivered } = attempt
      const value = { event_id: event.id, type: event.type, delivery_id: id, replay, ...attempt, url: this.#target.url }
      const mark = delivered ? this.#out.paint('green', `${status}`) : this.#out.paint('red', `${status ?? '---'}`)
      const after = delivered
        ? ''
        : last
          ? `: ${error}; given up after ${attempt.attempt}`
          : `: ${error}; it will be tried again`
      const time = new Date().toTimeString().slice(0, 8)
      const name = this.#out.paint('bold', event.type.padEnd(30))
      this.#out.line(
        value,
        `${time}  ${name} ${event.id}  ${mark} ${ms} ms  ${replay ? 'replay ' : ''}${plain(subjectOf(event))}${after}`,
      )
    }
  }

  end(after: string | null): void {
    this.#out.note(after ? `Stopped after ${after}. The next \`timbre listen\` carries on from there.` : 'Stopped.')
  }
}
