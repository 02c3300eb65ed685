import { TIPO_NUMBERS } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, Email, Id, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'
import { ONBOARDING_STATUSES } from '../onboarding/status.ts'
import { CHANNEL_NAMES, ORIGEN_NAMES } from './channels.ts'

const VERIFICATION_STATUSES = ['pending_verification', 'verified', 'refused'] as const

/** The folio range requested from the SII to verify a claim. */
export const VerificationRequest = Closed({
  tipo: Type.Integer(),
  quantity: Type.Integer(),
  ambiente: OneOf(['certificacion', 'produccion']),
})
export type VerificationRequest = Static<typeof VerificationRequest>

/** A resolución that the titular declared, and what became of the claim. */
export const Resolucion = Closed({
  numero: Type.Integer(),
  fecha: CivilDate,
  verified: Type.Boolean(),
  verified_at: Nullable(Timestamp),
  verification_status: OneOf(VERIFICATION_STATUSES),
  verification_request: Nullable(VerificationRequest, {
    description: 'The folio range asked of the SII to verify it.',
  }),
  refusal: Nullable(Type.String({ description: 'The words of the SII when it refused.' })),
})
export type Resolucion = Static<typeof Resolucion>

export const VerifyResolucion = Closed({
  confirm: Type.Optional(Type.Boolean({ description: 'Must be true: it asks the SII for real folios.' })),
})
export type VerifyResolucion = Static<typeof VerifyResolucion>

export const EMPRESA_STATUSES = ['active', 'archived', 'suspended'] as const
const TRACKS = ['mercado', 'sfg'] as const
const AMBIENTES = ['certificacion', 'produccion'] as const

const Tipo = Type.Unsafe<number>({ type: 'integer', enum: [...TIPO_NUMBERS], 'x-whole': true })
const DocTypes = Type.Array(Tipo, {
  minItems: 1,
  maxItems: TIPO_NUMBERS.length,
  uniqueItems: true,
  description: 'Tipos the empresa declares. Default: all of them in test mode; 33, 56 and 61 in live mode.',
})
const Acteco = Type.Array(Type.Integer({ minimum: 1, maximum: 999_999, 'x-whole': true }), {
  maxItems: 4,
  uniqueItems: true,
  description: 'Economic activity codes of the SII, at most the four a DTE carries.',
})
const CodigoSucursal = Type.String({
  pattern: '^[1-9][0-9]{0,8}$',
  maxLength: 9,
  description: 'Branch code given by the SII: up to nine digits.',
})
const Channel = OneOf(CHANNEL_NAMES, {
  description: 'How it emits today. Default: `sfg` when `origen` is gratuito, otherwise `mercado`.',
})
const Track = OneOf(TRACKS, { description: 'What it certifies for; null: what `emission_channel` asks for.' })
const Origen = OneOf(ORIGEN_NAMES, {
  description: 'How the titular says it emits today. Required on a live key; `ninguno` by default in test mode.',
})
const ResolucionBoletas = Closed({ fecha: CivilDate }, { description: 'Habilitación for boletas: it has no number.' })

const Address = Closed({
  street: Type.Optional(Nullable(LatinLine(CEILINGS.street))),
  comuna: Type.Optional(Nullable(LatinLine(CEILINGS.comuna))),
  city: Type.Optional(Nullable(LatinLine(CEILINGS.city))),
})

/** A declared resolución as a request carries it. */
const DeclaredResolucion = Closed({
  numero: Type.Integer({ minimum: 1, maximum: 999_999, description: 'Number of the resolución exenta.' }),
  fecha: CivilDate,
})

const optional = {
  giro: Type.Optional(Nullable(LatinLine(CEILINGS.giro))),
  acteco: Type.Optional(Acteco),
  address: Type.Optional(Nullable(Address)),
  codigo_sucursal: Type.Optional(Nullable(CodigoSucursal)),
  contact_email: Type.Optional(Nullable(Email)),
  doc_types: Type.Optional(DocTypes),
  emission_channel: Type.Optional(Channel),
  certification_track: Type.Optional(Nullable(Track)),
  origen: Type.Optional(Origen),
  resolucion: Type.Optional(DeclaredResolucion),
  resolucion_boletas: Type.Optional(Nullable(ResolucionBoletas)),
}

export const CreateEmpresa = Closed({ rut: Rut, legal_name: LatinLine(CEILINGS.legal_name), ...optional })
export type CreateEmpresa = Static<typeof CreateEmpresa>

export const UpdateEmpresa = Closed({
  legal_name: Type.Optional(LatinLine(CEILINGS.legal_name)),
  ...optional,
  status: Type.Optional(
    OneOf(['active', 'archived'], { description: '`archived` stops emission and billing for good; history is kept.' }),
  ),
  ambiente: Type.Optional(Type.Unknown({ description: 'Derived: sending it is refused with field_not_writable.' })),
})
export type UpdateEmpresa = Static<typeof UpdateEmpresa>

/** The fields that a logged-in person may change from the dashboard. */
export const UpdateEmpresaBySession = Closed({
  doc_types: optional.doc_types,
  certification_track: optional.certification_track,
})

export const EmpresaPath = Closed({ empresa_id: Id })

const Onboarding = Closed({
  status: OneOf(ONBOARDING_STATUSES, {
    description: 'Derived from the steps: `mandato_pending` at birth in live mode; `emitting` when it can emit.',
  }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
  blocked_on: Nullable(Type.String({ description: 'Key of the step that is open; null when all are closed.' })),
  next_action_url: Nullable(
    Type.String({ description: 'Page of the SII where a person does the next step, where it is done there.' }),
  ),
  url: Type.String({ description: 'The onboarding resource.' }),
})

const Capabilities = Closed({
  can_emit: Type.Boolean(),
  tipos: Type.Array(Type.Integer(), { description: 'Tipos it can issue right now.' }),
  blocked_by: Nullable(
    Type.String({
      description:
        'Why nothing can be issued: `archived`, `suspended` or the key of an onboarding step; `certificate` also when it ' +
        'expired, `certificate_refused` while the SII does not let its holder send (GET /empresas/{empresa_id}/certificate ' +
        'says what it said), `documents_refused` while documents are held because the SII refused several in a row for the data ' +
        'of the empresa (POST /documents says which).',
    }),
  ),
  next: Nullable(
    Closed({
      who: OneOf(['customer', 'facturia', 'sii']),
      api: Nullable(Type.String({ description: 'Call that moves it on, where there is one.' })),
      url: Nullable(Type.String({ description: 'Page that moves it on, where there is one.' })),
    }),
  ),
})
export type Capabilities = Static<typeof Capabilities>

export const Empresa = Named(
  'Empresa',
  Closed({
    object: Type.Literal('empresa'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    rut: Type.String(),
    legal_name: Type.String(),
    giro: Nullable(Type.String()),
    acteco: Type.Array(Type.Integer()),
    address: Closed({
      street: Nullable(Type.String()),
      comuna: Nullable(Type.String()),
      city: Nullable(Type.String()),
    }),
    codigo_sucursal: Nullable(Type.String()),
    contact_email: Nullable(Type.String()),
    ambiente: OneOf(AMBIENTES, { description: 'Derived: `produccion` once a live empresa emits.' }),
    emission_channel: OneOf(CHANNEL_NAMES),
    certification_track: Nullable(OneOf(TRACKS)),
    doc_types: Type.Array(Type.Integer()),
    origen: OneOf(ORIGEN_NAMES),
    reception_email: Nullable(
      Type.String({ description: 'Where suppliers send their documents; live empresas only.' }),
    ),
    status: OneOf(EMPRESA_STATUSES),
    iva_shape: Nullable(Type.String()),
    onboarding: Onboarding,
    capabilities: Capabilities,
    resolucion: Nullable(Resolucion),
    resolucion_boletas: Nullable(Closed({ fecha: CivilDate })),
    boleta_emission_enabled_at: Nullable(Timestamp),
    created_at: Timestamp,
  }),
)
export type Empresa = Static<typeof Empresa>
