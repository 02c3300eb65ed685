import type { TimbreOptions } from './config.ts'
import { ResourceClient } from './generated/resource-client.ts'
import { webhooks } from './webhooks.ts'

export * from './core.ts'

/** Everything that the API offers: `timbre.documents.create({ … })`. A resource is put together when it is first used. */
export class Timbre extends ResourceClient {
  readonly webhooks = webhooks

  /** The same client with some settings replaced: `timbre.with({ empresa: '76192083-9' })`. */
  with(changes: TimbreOptions): Timbre {
    return new Timbre(this.optionsWith(changes))
  }
}
