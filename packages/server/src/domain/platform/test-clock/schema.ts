import { type Static, Type } from 'typebox'
import { Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

export const TestClock = Named(
  'TestClock',
  Closed({
    object: Type.Literal('test_clock'),
    empresa: Nullable(Type.String({ description: 'RUT of the empresa whose clock it is; null for the account.' })),
    now: Type.Unsafe<string>({ ...Timestamp, description: 'What time it is on this clock.' }),
    frozen: Type.Boolean({ description: 'Whether it stands still until it is moved.' }),
    status: OneOf(['ready', 'advancing'], { description: '`advancing` while timers that fell due are still firing.' }),
    target: Nullable(Timestamp, { description: 'Where it is going, while advancing.' }),
  }),
)
export type TestClock = Static<typeof TestClock>

export const SetClock = Closed({
  empresa_rut: Type.Optional({
    ...Rut,
    description:
      'Move the clock of this empresa alone, which from then on is its own until it is reset. Webhooks belong to the ' +
      'account: their retries go by its clock.',
  }),
  frozen_time: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Go to this instant and stand still there.' }),
  ),
  advance: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      format: 'duration',
      maxLength: 40,
      description: 'ISO 8601 duration, such as P1M or PT36H.',
    }),
  ),
  reset: Type.Optional(Type.Literal(true, { description: 'Return to real time.' })),
})
export type SetClock = Static<typeof SetClock>

export const ClockQuery = Closed({ empresa_rut: Type.Optional(Rut) })
export type ClockQuery = Static<typeof ClockQuery>
