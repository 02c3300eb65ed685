import { type Static, Type } from 'typebox'
import { Closed, Id, Named, OneLine, OneTimeSecret, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'
import { isStepKey, type StepKey } from '../onboarding/lanes.ts'

/** The page where a mandato is revoked, which is no step. */
export const REVOCATION = 'mandato_revocation'
export type PageKey = StepKey | typeof REVOCATION

export const isPageKey = (value: string): value is PageKey => value === REVOCATION || isStepKey(value)

export const DEFAULT_HOURS = 72

const expires_in_hours = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 720,
    default: DEFAULT_HOURS,
    description: 'How long the page can be opened.',
  }),
)

export const CreateLink = Closed({
  step: Opaque(40, { description: 'Key of the step that waits for a person: `blocked_on` of the onboarding.' }),
  expires_in_hours,
  person: Type.Optional(
    Closed(
      { rut: Rut, name: OneLine(100) },
      {
        description:
          'For whom the page is. Nobody with another RUT signs, authorises or brings a certificate on it; without it whoever ' +
          'opens the page says who they are.',
      },
    ),
  ),
})
export type CreateLink = Static<typeof CreateLink>

export const CreateRevocationLink = Closed({ expires_in_hours })
export type CreateRevocationLink = Static<typeof CreateRevocationLink>

export const LinkPath = Closed({
  empresa_id: Id,
  step: Opaque(40, { description: `Key of a step, or \`${REVOCATION}\`.` }),
})

export const OnboardingLink = Named(
  'OnboardingLink',
  Closed({
    object: Type.Literal('onboarding_link'),
    step: Type.String({ description: `The step that is done on the page, or \`${REVOCATION}\`.` }),
    url: OneTimeSecret('Whoever has it acts for the empresa on the page, once. It is told this once.'),
    expires_at: Timestamp,
  }),
)
export type OnboardingLink = Static<typeof OnboardingLink>
