import { ACTIONS, APPROVALS, SII_PAGES } from './copy.ts'
import { hasPage, type StepKey, stepOf } from './lanes.ts'
import type { PendingAction } from './schema.ts'
import { actorOf } from './settle.ts'
import type { Shown } from './shown.ts'

/** The hand-off to the person whom a step waits for; null while it waits for nobody. */
export function pendingActionOf(key: StepKey, { row, steps, addresses }: Shown): PendingAction | null {
  const step = steps.get(key)
  if (step?.status !== 'action_required') return null
  const { approval, performed_by, probe, attestable } = stepOf(key)
  const claim_refused = row.resolucion_status === 'refused'
  const customers = actorOf(key, { claim_refused }) === 'customer'
  const waits_for_approval = !customers && approval !== undefined && step.approved_at === null
  const text = waits_for_approval ? APPROVALS[approval.act] : ACTIONS[key]
  const role = waits_for_approval ? approval.role : performed_by
  if (!text || role === null) return null
  const onboarding = `${addresses.base_url}/empresas/${row.id}/onboarding`
  const call = (path: string, body: Record<string, unknown> | null) => ({
    method: 'POST',
    url: `${onboarding}${path}`,
    body,
  })
  const go_live = waits_for_approval && approval.act === 'go_live'
  const approve = go_live
    ? call('/go_live', { decision: 'approve' })
    : call(`/steps/${key}/approve`, { decision: 'approve' })
  return {
    step: key,
    ...text,
    instructions: [...text.instructions],
    bring: [...text.bring],
    action_url: SII_PAGES[key] ?? null,
    link: !hasPage(key) ? null : { mint: go_live ? call('/go_live', null) : call('/links', { step: key }) },
    performed_by: { role },
    verification: probe || attestable ? { recheck: call(`/steps/${key}/recheck`, null) } : null,
    approval: waits_for_approval ? { act: approval.act, role: approval.role, approve } : null,
  }
}
