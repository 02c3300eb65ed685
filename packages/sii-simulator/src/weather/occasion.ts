import type { DoorRequest } from '../door.ts'
import type { Occasion } from './scripts.ts'

/** What scripts are compared with; doors build it to take the scripts that concern them. */
export function occasionOf(door: string, request: DoorRequest): Occasion {
  let whole: string | undefined
  return {
    door,
    host: request.host,
    text: () => {
      whole ??= `${request.path}?${request.raw_query}\n${Buffer.from(request.body).toString('latin1')}`
      return whole
    },
  }
}
