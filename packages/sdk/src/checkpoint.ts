/** Where a follower keeps the id of the last event that was handled. */
export interface Checkpoint {
  load(): Promise<string | null> | string | null
  save(event_id: string): Promise<void> | void
}

/** For tests, and for programs that begin anew each time. */
export function memoryCheckpoint(event_id: string | null = null): Checkpoint {
  let last = event_id
  return {
    load: () => last,
    save: (id) => {
      last = id
    },
  }
}
