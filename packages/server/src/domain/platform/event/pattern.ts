import { Type } from 'typebox'
import { isEventPattern } from '../../../catalog/events.ts'
import { addFormat } from '../../../kernel/validate.ts'

addFormat('event_pattern', {
  check: isEventPattern,
  code: 'invalid_field',
  says: 'it must be an event type, a family of them such as document.*, or *',
})

/** An event type, a family of them (`document.*`), or `*` for all, present and future. */
export const EventPattern = Type.Unsafe<string>({
  type: 'string',
  format: 'event_pattern',
  maxLength: 100,
  examples: ['document.accepted', 'document.*', '*'],
})
