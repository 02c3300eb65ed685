import { TIPO_NUMBERS } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { FOLIO_REFUSAL_REASONS } from '../../../catalog/folio-refusals.ts'
import { CEILINGS, FOLIOS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, Id, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'

const CAF_STATUSES = ['active', 'inactive'] as const
const CAF_SOURCES = ['upload', 'request', 'sandbox', 'resolucion'] as const
export type CafSource = (typeof CAF_SOURCES)[number]

const Tipo = Type.Unsafe<number>({ type: 'integer', enum: [...TIPO_NUMBERS] })
const expires_on = Nullable(CivilDate, {
  description: 'Last day it may be used: six months after `authorised_on` for tipos 33, 46, 56 and 61; null otherwise.',
})
const source = OneOf(CAF_SOURCES, {
  description:
    '`upload` by POST /cafs, `request` by POST /folios/requests, `resolucion` by the verification of one, `sandbox` ' +
    'granted by itself in test mode.',
})

const AnnulmentFailure = Closed({
  code: Type.String(),
  message: Type.String(),
  reason: Type.Optional(OneOf(FOLIO_REFUSAL_REASONS, { description: 'Why the SII refused, where it did.' })),
})

const Annulment = Closed({
  status: OneOf(['queued', 'annulled', 'failed']),
  from: Type.Integer(),
  to: Type.Integer(),
  failure: Type.Unsafe<Static<typeof AnnulmentFailure> | null>({
    anyOf: [AnnulmentFailure, { type: 'null' }],
    description: 'Why it is `failed`; POST …/annul tries again.',
  }),
  requested_at: Timestamp,
  settled_at: Nullable(Timestamp),
})

export const Caf = Named(
  'Caf',
  Closed({
    object: Type.Literal('caf'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    ambiente: OneOf(['certificacion', 'produccion'], {
      description: 'Where its folios count: those of the two ambientes are apart and may have the same numbers.',
    }),
    tipo_dte: Type.Integer(),
    from: Type.Integer(),
    to: Type.Integer(),
    next_folio: Nullable(Type.Integer({ description: 'Null when every folio of it was used.' })),
    remaining: Type.Integer(),
    status: OneOf(CAF_STATUSES),
    source,
    authorised_on: CivilDate,
    expires_on,
    expired: Type.Boolean(),
    created_at: Timestamp,
    deactivated_at: Nullable(Timestamp),
    annulment: Type.Unsafe<Static<typeof Annulment> | null>({
      anyOf: [Annulment, { type: 'null' }],
      description: 'Of the folios it still held; null when none was requested.',
    }),
  }),
)
export type Caf = Static<typeof Caf>

export const UploadCaf = Closed({
  caf: Type.String({
    minLength: 1,
    maxLength: CEILINGS.caf_body_bytes,
    contentEncoding: 'base64',
    description: 'The XML file of the SII (AUTORIZACION) as it was downloaded, in base64.',
  }),
})
export type UploadCaf = Static<typeof UploadCaf>

export const CafPath = Closed({ caf_id: Id })
export const CafQuery = listQuery({ tipo_dte: Type.Optional(Tipo), status: Type.Optional(OneOf(CAF_STATUSES)) })
export type CafQuery = Static<typeof CafQuery>

const Range = Closed({
  caf_id: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  next_folio: Type.Integer(),
  remaining: Type.Integer(),
  authorised_on: CivilDate,
  expires_on,
  expired: Type.Boolean(),
  source,
})

const Stock = Closed({
  chain: Type.Array(
    Closed({ from: Type.Integer(), to: Type.Integer(), remaining: Type.Integer(), expired: Type.Boolean() }),
    { description: 'The ranges with unused folios in the order they are used; expired ones are passed over.' },
  ),
  stops_at_expired_range: Type.Boolean({
    description:
      'The unused folios that are left have all expired: nothing can be stamped until another range is here. The SII ' +
      'wants the expired ones annulled.',
  }),
})

const Forecast = Closed({
  per_business_day: Type.Number({
    description: 'Folios used a business day; those of weekends count, their days do not.',
  }),
  business_days_left: Type.Integer({
    description:
      'Whole business days that the chain lasts, today among them; what expires before its turn is not counted. ' +
      `${FOLIOS.forecast_business_days} is that many or more.`,
  }),
  lasts_until: Nullable(CivilDate, {
    description: 'The last of those days; null where there is none, or too many to tell.',
  }),
})

const AVAILABILITY_STATUSES = ['available', 'low', 'exhausted', 'sfg_managed'] as const

export const FolioAvailability = Named(
  'FolioAvailability',
  Closed({
    object: Type.Literal('folio_availability'),
    tipo_dte: Type.Integer(),
    available: Type.Integer({ description: 'Folios that can be used now, over the whole chain.' }),
    next_folio: Nullable(
      Type.Integer({
        description: 'The next document gets it. In test mode it is told before a range exists: 1 at first.',
      }),
    ),
    status: OneOf(AVAILABILITY_STATUSES, {
      description:
        `\`low\` below ${FOLIOS.low_percent_of_last_range} % of the last range, and always below ` +
        `${FOLIOS.low_at_least}, and when they last less than ${FOLIOS.low_business_days} business days; \`exhausted\` when none is left; \`sfg_managed\` when the SII gives each document its ` +
        'folio. A sandbox is never short of folios for long: when none is left it is granted more with the next document.',
    }),
    ranges: Type.Array(Range, { description: 'The CAFs behind the chain.' }),
    stock: Stock,
    forecast: Type.Unsafe<Static<typeof Forecast> | null>({
      anyOf: [Forecast, { type: 'null' }],
      description:
        `At the pace of the last ${FOLIOS.pace_business_days} business days of Chile before today, or since the first folio ` +
        'was used; null while there is none.',
    }),
  }),
)
export type FolioAvailability = Static<typeof FolioAvailability>

export const FolioQuery = listQuery({ tipo_dte: Type.Optional(Tipo) })
export type FolioQuery = Static<typeof FolioQuery>

export const RequestFolios = Closed({
  tipo_dte: Tipo,
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CEILINGS.folios_per_request,
      description: `Left out: as many as the last range has, or ${FOLIOS.requested_by_default} where there is none.`,
    }),
  ),
})
export type RequestFolios = Static<typeof RequestFolios>
