import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../../catalog/limits.ts'
import { Base64, Closed, Named, OneLine, Opaque } from '../../../../kernel/schema.ts'
import { OnboardingStep } from '../schema.ts'

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
    set: Type.Null({
      description: 'The set de pruebas of the SII: none while a person of ours runs the certification.',
    }),
    cases: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Its cases: none while there is no set.' }),
    inputs: Type.Array(Type.Unknown(), { maxItems: 0, description: 'What is asked of the customer: nothing today.' }),
  }),
)
export type Certification = Static<typeof Certification>

export const SetFile = Closed({
  file: Base64(CEILINGS.json_body_bytes, { description: 'The file of the set de pruebas, as the SII gives it.' }),
})

export const CertificationInputs = Closed({
  inputs: Type.Array(Closed({ key: Opaque(40), value: OneLine(500) }), { minItems: 1, maxItems: 50 }),
})
