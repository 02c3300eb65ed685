import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { CivilDate, Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

const nullableText = Nullable(Type.String())

export const Contribuyente = Named(
  'Contribuyente',
  Closed({
    object: Type.Literal('contribuyente'),
    id: Type.String({ description: 'The RUT.' }),
    rut: Rut,
    legal_name: Type.String({ description: 'Razón social.' }),
    started_on: Nullable(CivilDate, { description: 'Inicio de actividades.' }),
    ended_on: Nullable(CivilDate, { description: 'Término de giro; null while it is active.' }),
    activities: Type.Array(
      Closed({
        code: Type.String({ description: 'ACTECO code, six digits. Text: many start with 0.' }),
        description: nullableText,
        started_on: Nullable(CivilDate),
        affects_iva: Nullable(Type.Boolean()),
        category: Nullable(Type.String(), { description: 'Categoría tributaria: 1 or 2.' }),
      }),
      { description: 'Those subject to IVA first, then the oldest.' },
    ),
    suggested_giro: Nullable(
      Type.String({ maxLength: CEILINGS.giro, description: 'Fits the giro of a document. Null without activities.' }),
    ),
    basis: Nullable(OneOf(['curated', 'sii_description']), {
      description: 'Where `suggested_giro` comes from: our wording for the activity, or the description of the SII.',
    }),
    address: Nullable(
      Closed({ street: nullableText, comuna: nullableText, city: nullableText, region: nullableText }),
      {
        description:
          'The domicilio in force as the contribuyente declared it, unchecked: it may be longer than a document takes. ' +
          'Null where none is published or loaded.',
      },
    ),
    source: Closed({ published_at: Timestamp }, { description: 'The nómina of the SII this was read from.' }),
  }),
)
export type Contribuyente = Static<typeof Contribuyente>

export const ContribuyentePath = Closed({ rut: Rut })
export type ContribuyentePath = Static<typeof ContribuyentePath>
