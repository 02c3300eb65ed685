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
import { EmpresaPath } from '../../platform/empresa/schema.ts'
import { OnboardingStep } from '../../platform/onboarding/schema.ts'
import { FILE_KINDS, SET_KINDS } from './file.ts'
import { INPUT_KEYS } from './inputs.ts'

export const FILE_STATES = [
  'planned',
  'signed',
  'printed',
  'sent',
  'taken',
  'in_review',
  'approved',
  'refused',
  'received',
] as const
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
  sources: Nullable(Closed({ business: Type.Integer(), inputs: Type.Integer(), set: Type.Integer() }), {
    description:
      'Of a simulación, where its documents come from: documents that the empresa issued, products that its people named, or items of its set.',
  }),
  track_id: Nullable(Type.String()),
  sent_at: Nullable(Timestamp),
  words,
  findings: Type.Array(Type.String(), { description: 'What the SII found, in its own words.' }),
})

const CertificationSample = Closed({
  id: Type.String(),
  file_name: Type.String(),
  origin: OneOf(['set', 'simulacion']),
  case_id: Nullable(Type.String()),
  tipo_dte: Type.Integer(),
  folio: Type.Integer(),
  cedible: Type.Boolean({ description: 'The copy to cede; the original has a page of its own.' }),
  without_logo: Type.Boolean({ description: 'With the logo it was bigger than the 500 KB that the SII takes.' }),
  bytes: Type.Integer(),
  sha256: Type.String(),
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
    samples: Closed(
      {
        sha256: Nullable(
          Type.String({ description: 'Over all of them, as `sha256sum` lists them: the approval is for these bytes.' }),
        ),
        data: Type.Array(CertificationSample),
      },
      { description: 'The printed samples that the titular approves and the SII reviews, as they stand now.' },
    ),
    statements: Type.Array(Type.String(), {
      description: "What the representante legal approves to be declared, in the SII's words; empty until it is read.",
    }),
    findings: Type.Array(CertificationFinding, {
      description: 'What the SII would refuse, found before anything was sent. While there is any, nothing is.',
    }),
    inputs: Type.Array(CertificationInput, { description: 'What only the taxpayer knows.' }),
    sii: Closed({ words, said_at: Nullable(Timestamp) }, { description: 'What the SII said last.' }),
  }),
)
export type Certification = Static<typeof Certification>

export const SamplePath = Closed({
  ...EmpresaPath.properties,
  file_id: Opaque(40, { description: 'Id of a printed sample.' }),
})
export type SamplePath = Static<typeof SamplePath>

export const SetFile = Closed({
  file: Base64(CEILINGS.json_body_bytes, { description: 'The file of the set de pruebas, as the SII gives it.' }),
  downloaded_on: Type.Optional(
    Type.String({
      format: 'date',
      maxLength: 10,
      description: 'The day on which the SII gave it, by default today: it lives two months.',
    }),
  ),
})
export type SetFile = Static<typeof SetFile>

export const CertificationInputs = Closed({
  inputs: Type.Array(Closed({ key: Opaque(40), value: OneLine(500) }), { minItems: 1, maxItems: 50 }),
})
export type CertificationInputs = Static<typeof CertificationInputs>
