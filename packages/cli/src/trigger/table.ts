import type { EventType } from '@timbre/sdk/core'
import { DOCUMENT_TRIGGERS } from './documents.ts'
import { PLATFORM_TRIGGERS } from './platform.ts'
import { RECEIVED_TRIGGERS } from './received.ts'
import { TAX_TRIGGERS } from './tax.ts'
import type { Trigger } from './trigger.ts'

/** Every event of the catalogue: one that is missing here does not compile. */
export const TRIGGERS: Readonly<Record<EventType, Trigger>> = {
  ...DOCUMENT_TRIGGERS,
  ...RECEIVED_TRIGGERS,
  ...PLATFORM_TRIGGERS,
  ...TAX_TRIGGERS,
}
