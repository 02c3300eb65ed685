import { EVENT_TYPES, EVENTS, type EventType } from '../catalog/events.ts'
import { DELIVERY_HEADERS } from '../catalog/headers.ts'
import { Event } from '../domain/platform/event/schema.ts'
import { Reception } from '../domain/receiving/received-document/reception-schema.ts'
import type { Components, Json } from './components.ts'
import { pascal } from './names.ts'

const ref = (title: string): Json => ({ $ref: `#/components/schemas/${title}` })

export const eventName = (type: EventType) => `${pascal(type)}Event`

/** What an event carries, by the object that it is about. */
function dataOf(components: Components, object: string): Json {
  const resource = pascal(object)
  if (object === 'reception') components.place(Reception)
  if (!(resource in components.schemas)) throw new Error(`no operation answers with the ${object} that events carry`)
  return components.write(`${resource}EventData`, {
    type: 'object',
    required: ['object'],
    properties: {
      object: ref(resource),
      previous_attributes: {
        type: 'object',
        additionalProperties: true,
        description: 'On updates: what the changed fields used to be.',
      },
      detail: {
        type: 'object',
        additionalProperties: true,
        description: 'The fact itself, where it is narrower than the resource.',
      },
    },
  })
}

/** Every event by its type: `type` tells which resource `data.object` is. Comes last, when every resource has its name. */
export function writeEvents(components: Components): void {
  const { type: _, data: __, ...common } = (Event as unknown as { properties: Record<string, Json> }).properties
  const base = components.write('EventBase', {
    type: 'object',
    required: [...Object.keys(common), 'type', 'data'],
    properties: {
      ...(components.place({ type: 'object', properties: common }) as { properties: Json }).properties,
      type: { type: 'string' },
      data: { type: 'object' },
    },
  })
  for (const type of EVENT_TYPES) {
    const properties = { type: { const: type }, data: dataOf(components, EVENTS[type].object) }
    components.write(eventName(type), { allOf: [base, { type: 'object', required: ['type', 'data'], properties }] })
  }
  components.schemas.Event = {
    oneOf: EVENT_TYPES.map((type) => ref(eventName(type))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, `#/components/schemas/${eventName(type)}`])),
    },
  }
}

/** How a receiver knows that a delivery is ours, and which one it is. */
export const DELIVERY_PARAMETERS = Object.fromEntries(
  DELIVERY_HEADERS.map(({ name, says }) => [
    name,
    { name, in: 'header', required: true, description: says, schema: { type: 'string' } },
  ]),
)

export const WEBHOOK_TAG = 'webhooks'

export function webhooksOf(): Json {
  const parameters = DELIVERY_HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `webhooks.${type}`,
          summary: type,
          description: `${EVENTS[type].when}\n\n\`data.object\` is the ${EVENTS[type].object} as a GET shows it at that moment.`,
          tags: [WEBHOOK_TAG],
          security: [],
          parameters,
          requestBody: { content: { 'application/json': { schema: ref(eventName(type)) } } },
          responses: { '2XX': { description: 'Taken. Anything else is tried again.' } },
        },
      },
    ]),
  )
}
