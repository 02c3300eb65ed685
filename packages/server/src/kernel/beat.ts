/** Beats are instants that are the same for every process, lane and account: whole multiples of this. */
export const BEAT_MS = 400

/** The beat that is nearest to an instant. What is due already waits for none, and what falls due behind a beat that is over keeps its instant. */
export function nearestBeat(instant: Date, now: number): Date {
  const at = instant.getTime()
  const beat = Math.round(at / BEAT_MS) * BEAT_MS
  return at > now && beat > now ? new Date(beat) : instant
}
