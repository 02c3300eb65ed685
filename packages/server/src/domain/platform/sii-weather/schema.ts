import { type Static, Type } from 'typebox'
import { Closed, Id, listQuery, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { SII_SERVICES, SII_STATES } from '../../../ports/sii-weather.ts'

const Count = Type.Integer({ minimum: 0 })
const Figure = Nullable(Type.Number({ minimum: 0 }))

const Point = Closed({ at: Timestamp, calls: Count, failures: Count, mean_ms: Count })

const Service = Closed({
  service: OneOf(SII_SERVICES, { description: 'One of the hosts of the SII, by what it is for.' }),
  state: OneOf(SII_STATES, {
    description:
      'Of the last hour. `degraded`: one question in twenty got no answer; `down`: half of them; `unknown`: none was asked.',
  }),
  calls: Count,
  failures: Count,
  p50_ms: Figure,
  p95_ms: Figure,
  last_24_hours: Type.Array(Point, { description: 'In steps of five minutes; a step without a call is left out.' }),
  last_30_days: Type.Array(Point, { description: 'In steps of six hours.' }),
})

const Pace = Closed({ documents: Count, p50_seconds: Figure, p95_seconds: Figure })

export const SiiStatus = Closed({
  object: Type.Literal('sii_status'),
  measured_at: Timestamp,
  environments: Type.Array(
    Closed({
      ambiente: OneOf(['certificacion', 'produccion'] as const),
      services: Type.Array(Service),
      verdicts: Closed(
        { dte: Pace, boleta: Pace },
        { description: 'From sent to settled, of the documents settled within the last 24 hours.' },
      ),
    }),
  ),
})
export type SiiStatus = Static<typeof SiiStatus>

const Words = Nullable(Type.String())

export const OUTCOMES = ['ok', 'unreachable', 'refused', 'not_understood', 'session_cap'] as const

export const SiiCall = Closed({
  object: Type.Literal('sii_call'),
  id: Id,
  at: Timestamp,
  service: Type.String(),
  operation: Type.String(),
  ambiente: Type.String(),
  outcome: OneOf(OUTCOMES),
  ms: Count,
  estado: Words,
  detail: Words,
  trace: Type.Object(
    {},
    { additionalProperties: true, description: 'What went over the wire, cut and without secrets.' },
  ),
})
export type SiiCall = Static<typeof SiiCall>

export const SiiCallQuery = listQuery({
  outcome: Type.Optional(OneOf(OUTCOMES)),
  service: Type.Optional(OneOf(SII_SERVICES)),
})
export type SiiCallQuery = Static<typeof SiiCallQuery>
