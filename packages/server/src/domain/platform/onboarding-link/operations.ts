import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { createLink, createRevocationLink } from './mint.ts'
import { revokeStepLinks } from './revoke.ts'
import { CreateLink, CreateRevocationLink, LinkPath, OnboardingLink } from './schema.ts'

const LINKS = '/empresas/{empresa_id}/onboarding/links'
/** Two steps would not do: the address lets whoever has it bind a taxpayer. */
const mcp = { not: 'The page lets whoever has its address bind a taxpayer: a person hands it to a person.' }

export const onboardingLinkOperations = [
  defineOperation({
    id: 'onboarding.links.create',
    method: 'POST',
    path: LINKS,
    summary: 'Mint a page where a person does a step of the onboarding',
    description:
      'For the step that waits for somebody (`blocked_on`, `pending_action`). Whoever has the address signs, uploads or decides ' +
      'in Spanish, without an account; it works once and until `expires_at`, and the last one you minted for the step stops ' +
      'working. The address is told this once. For `mandato` the scope `mandato:write` is needed too; it can be minted whenever ' +
      'no mandato stands, after a revocation as well.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: EmpresaPath,
    body: CreateLink,
    returns: OnboardingLink,
    status: 201,
    allows_inactive: true,
    errors: ['onboarding_step_not_found', 'step_not_open', 'empresa_inactive', 'insufficient_scope'],
    mcp,
    audited: true,
    run: createLink,
  }),
  defineOperation({
    id: 'onboarding.links.revoke',
    method: 'DELETE',
    path: `${LINKS}/{step}`,
    summary: 'Close the pages of a step',
    description: 'Also those that were mailed. Where none is open nothing changes.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: LinkPath,
    returns: null,
    allows_inactive: true,
    errors: ['onboarding_step_not_found', 'insufficient_scope'],
    mcp,
    audited: true,
    run: revokeStepLinks,
  }),
  defineOperation({
    id: 'mandato.revocation_link',
    method: 'POST',
    path: '/empresas/{empresa_id}/mandato/revocation_link',
    summary: 'Mint the page where a mandato is revoked',
    description:
      'For the representante who wants to take back what they signed. It works once and until `expires_at`; the last one stops ' +
      'working. The address is told this once.',
    reach: 'empresa',
    scope: 'mandato:write',
    params: EmpresaPath,
    body: CreateRevocationLink,
    returns: OnboardingLink,
    status: 201,
    allows_inactive: true,
    errors: ['mandato_not_found'],
    mcp,
    audited: true,
    run: createRevocationLink,
  }),
]
