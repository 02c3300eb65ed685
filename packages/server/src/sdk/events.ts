import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { comment } from './comment.ts'
import { pascal } from './names.ts'

/**
 * The types of events. `data.object` is the resource whose `object` the catalog names; one that no operation answers
 * with is a plain record.
 */
export function eventsFile(declared: ReadonlyMap<string, string>): string {
  const resources = new Set<string>()
  const rows = EVENT_TYPES.map((type) => {
    const { object, when } = EVENTS[type]
    const resource = pascal(object)
    if (declared.has(resource)) resources.add(resource)
    return `${comment([when], '  ')}  '${type}': ${declared.has(resource) ? resource : 'Record<string, unknown>'}\n`
  })
  return [
    `import type { ${[...resources].sort().join(', ')} } from './types.ts'\n`,
    comment(['What `data.object` of an event is, by its type: the resource as a GET shows it at that moment.']) +
      `export interface EventObjects {\n${rows.join('')}}\n`,
    'export type EventType = keyof EventObjects\n',
    comment(['An event of one type.']) +
      `export interface EventOf<Type extends EventType> {
  id: string
  object: 'event'
  type: Type
  api_version: 'v1'
  mode: 'test' | 'live'
  created_at: string
  /** Null for events of the account itself. */
  empresa: { id: string; rut: string } | null
  data: {
    object: EventObjects[Type]
    /** What changed, as it was before; present only on a change of something that existed. */
    previous_attributes?: Partial<EventObjects[Type]>
    detail?: Record<string, unknown>
  }
}
`,
    `${comment([
      'An event of the ledger or of a webhook. `event.type` narrows `event.data.object`. New types may come: ignore those that you do not know.',
    ])}export type Event = { [Type in EventType]: EventOf<Type> }[EventType]\n`,
  ].join('\n')
}
