import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import {
  Base64,
  CivilDate,
  Closed,
  Named,
  Nullable,
  OneLine,
  OneOf,
  Opaque,
  Timestamp,
} from '../../../kernel/schema.ts'
import { OnboardingStep } from '../../platform/onboarding/schema.ts'
import { FILE_KINDS, SET_KINDS } from './file.ts'
import { INPUT_KEYS } from './inputs.ts'

const FILE_STATES = ['planned', 'signed', 'sent', 'taken', 'in_review', 'approved', 'refused', 'received'] as const
const CASE_STATES = ['not_built', ...FILE_STATES] as const

const words = Nullable(Type.String({ description: "The SII's own words, untranslated." }))
const line = Type.Integer({ description: 'Line of the set, from 1.' })

const NotUnderstood = Closed({ line, text: Type.String(), why: Type.String() })

const SetSection = Closed({
  kind: Type.String({
    description: 'basico, guias, exenta, compra, libro_ventas and so on; `exportacion` is not built.',
  }),
  title: Type.String(),
  attention: Nullable(Type.String({ description: 'NUMERO DE ATENCION.' })),
  line,
  cases: Type.Integer(),
  instructions: Type.Array(Type.String(), { description: 'Advice of the SII about the section, as it came.' }),
  not_understood: Type.Array(NotUnderstood, { description: 'Nothing of a set is sent while this is not empty.' }),
})

const CertificationSetShown = Closed({
  id: Type.String(),
  kind: OneOf(SET_KINDS),
  source: OneOf(['sii', 'file']),
  downloaded_on: CivilDate,
  expires_on: Type.String({
    format: 'date',
    description: 'The SII voids it after this day; another is asked for then.',
  }),
  sections: Type.Array(SetSection),
})

const CertificationCase = Closed({
  case_id: Type.String(),
  set: OneOf(SET_KINDS),
  section: Type.String(),
  line,
  tipo_dte: Type.Integer(),
  folio: Nullable(Type.Integer({ description: 'Of certification: it counts nowhere else. Null until it is built.' })),
  totals: Nullable(
    Closed({ net: Type.Integer(), exempt: Type.Integer(), iva: Type.Integer(), total: Type.Integer() }),
    { description: 'What the document of the case comes to; null where it cannot be built.' },
  ),
  state: OneOf(CASE_STATES),
  words,
})

const CertificationFile = Closed({
  id: Type.String(),
  step: Type.String({ description: 'The step of the onboarding that it belongs to.' }),
  kind: OneOf(FILE_KINDS),
  state: OneOf(FILE_STATES),
  attempt: Type.Integer({ description: 'How often it was made, with other folios each time.' }),
  file_name: Type.String(),
  documents: Type.Integer(),
  track_id: Nullable(Type.String()),
  sent_at: Nullable(Timestamp),
  words,
  findings: Type.Array(Type.String(), { description: 'What the SII found, in its own words.' }),
})

const CertificationFinding = Closed({
  rule: Type.String(),
  section: Nullable(Type.String()),
  case_id: Nullable(Type.String()),
  line: Nullable(Type.Integer()),
  message: Type.String(),
})

const CertificationInput = Closed({
  key: OneOf(INPUT_KEYS),
  label: Type.String({ description: 'For the person, in Spanish.' }),
  format: Type.String(),
  required: Type.Boolean({ description: 'Nothing goes on without it.' }),
  value: Nullable(Type.String()),
})

export const Certification = Named(
  'Certification',
  Closed({
    object: Type.Literal('certification'),
    empresa: Closed({ id: Type.String(), rut: Type.String() }),
    tipos: Type.Array(Type.Integer(), {
      description:
        'Declared tipos that the SII still has to authorise. Boletas have a step of their own, `habilitacion`.',
    }),
    steps: Type.Array(OnboardingStep, {
      description: 'The steps of the onboarding that certify, as they stand there.',
    }),
    sets: Type.Array(CertificationSetShown, { description: 'The sets de pruebas in use, as they were understood.' }),
    cases: Type.Array(CertificationCase, {
      description:
        'Every case, with the document that is built for it. Until it is, `totals` tell what it will come to.',
    }),
    files: Type.Array(CertificationFile, { description: 'The last attempt at each file that goes to the SII.' }),
    findings: Type.Array(CertificationFinding, {
      description: 'What the SII would refuse, found before anything was sent. While there is any, nothing is.',
    }),
    inputs: Type.Array(CertificationInput, { description: 'What only the taxpayer knows.' }),
    sii: Closed({ words, said_at: Nullable(Timestamp) }, { description: 'What the SII said last.' }),
  }),
)
export type Certification = Static<typeof Certification>

export const SetFile = Closed({
  file: Base64(CEILINGS.json_body_bytes, { description: 'The file of the set de pruebas, as the SII gives it.' }),
  downloaded_on: Type.Optional(
    Type.String({
      format: 'date',
      description: 'The day on which the SII gave it, by default today: it lives two months.',
    }),
  ),
})
export type SetFile = Static<typeof SetFile>

export const CertificationInputs = Closed({
  inputs: Type.Array(Closed({ key: Opaque(40), value: OneLine(500) }), { minItems: 1, maxItems: 50 }),
})
export type CertificationInputs = Static<typeof CertificationInputs>
