import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { RECORDED_STATUSES } from './standing.ts'

export const Subscription = Named(
  'Subscription',
  Closed({
    object: Type.Literal('subscription'),
    id: Type.String({ description: 'The id of the empresa: it has exactly one.' }),
    mode: OneOf(MODE_NAMES),
    status: OneOf(['none', ...RECORDED_STATUSES], {
      description:
        '`lapsed` from the moment `current_period_end` passes. `canceled`: ended for good, without grace. `none`: ' +
        'never subscribed.',
    }),
    current_period_end: Nullable(Timestamp, { description: 'Until when it is paid, or when it ended.' }),
    grace_until: Nullable(Timestamp, { description: 'Until when a lapsed subscription keeps emitting.' }),
    required: Type.Boolean({ description: 'False in test mode and for accounts on plan `house`: they always pass.' }),
    blocked: Type.Boolean({ description: 'Whether the acts that need it answer `402 subscription_required` now.' }),
    checkout_url: Type.String({
      description:
        'A page for a person: the price, and how to subscribe. Its address is a secret and ends after a month.',
    }),
    updated_at: Nullable(Timestamp, { description: 'Null while nothing was recorded.' }),
  }),
)
export type Subscription = Static<typeof Subscription>

export const RecordSubscription = Closed({
  status: OneOf(RECORDED_STATUSES),
  current_period_end: Type.Optional({
    ...Timestamp,
    description:
      'For `active` in the future, ten years at most; by default it stays as it was, and a new period lasts a month. For `lapsed` and ' +
      '`canceled` in the past: when it ended, by default now.',
  }),
})
export type RecordSubscription = Static<typeof RecordSubscription>
