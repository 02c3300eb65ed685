import type { Api, Page } from '../api/api.ts'
import { explain } from '../api/explain.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

interface Account {
  readonly email: string
  readonly key: { readonly name: string; readonly mode: string; readonly scopes: readonly string[] } | null
  readonly empresas_total: number
}

export interface Empresa {
  readonly id: string
  readonly rut: string
  readonly legal_name: string
  readonly status: string
  readonly capabilities: { readonly can_emit: boolean; readonly blocked_by: string | null }
}

const DAY_MS = 86_400_000

/** A look that fails is a finding too, with what to do about it. */
export async function looking(check: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const { message, remedy } = explain(error)
    return [problem(check, message, remedy ?? 'Try again.')]
  }
}

export function lookAtKey(api: Api): Promise<readonly Finding[]> {
  return looking('key', async () => {
    const { email, key, empresas_total } = await api.call<Account>('GET', '/account')
    const whose = `${key?.name ?? 'A key'} of ${email}, ${key?.mode ?? api.mode} mode, ${empresas_total} empresa${empresas_total === 1 ? '' : 's'}.`
    const needed = ['webhooks:read', 'documents:read'].filter((scope) => !key?.scopes.includes(scope))
    if (needed.length === 0) return [ok('key', whose)]
    const remedy = 'Mint a key with it on the dashboard, or run `timbre login`.'
    return [
      warning(
        'key',
        `${whose} It lacks ${needed.join(' and ')}: \`listen\` or reading documents will not work.`,
        remedy,
      ),
    ]
  })
}

export async function findEmpresa(api: Api): Promise<Empresa | null> {
  const { data } = await api.call<Page<Empresa>>('GET', '/empresas', { query: { limit: 100 } })
  return data.find(({ rut }) => rut === api.empresa) ?? null
}

export function lookAtEmpresa(api: Api, empresa: Empresa | null): Finding {
  const check = 'empresa'
  if (api.empresa === undefined)
    return warning(check, 'None is chosen.', 'Set TIMBRE_EMPRESA, or give --empresa RUT with each command.')
  if (!empresa)
    return problem(
      check,
      `This key does not reach ${api.empresa}.`,
      '`timbre api GET /empresas` lists those that it reaches.',
    )
  const { rut, legal_name, capabilities, status } = empresa
  if (capabilities.can_emit) return ok(check, `${legal_name}, ${rut}, can issue.`)
  const remedy = `See what is next: timbre api GET /empresas/${empresa.id}/onboarding`
  return problem(check, `${legal_name}, ${rut}, cannot issue: ${capabilities.blocked_by ?? status}.`, remedy)
}

interface Endpoint {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly disabled_reason: string | null
}

const REASONS: Readonly<Record<string, string>> = {
  failing: 'no delivery succeeded for five days',
  gone: 'it answered 410',
  requested: 'somebody disabled it',
  grant_ended: 'the agent that made it has no access any more',
  account_recovered: 'the account was taken back from somebody who had changed it',
}

export function lookAtWebhooks(api: Api): Promise<readonly Finding[]> {
  return looking('webhooks', async () => {
    const { data } = await api.call<Page<Endpoint>>('GET', '/webhook_endpoints', { query: { limit: 100 } })
    if (data.length === 0) return [ok('webhooks', 'No endpoint. On this machine `timbre listen` needs none.')]
    const findings: Finding[] = []
    for (const { id, url, status, disabled_reason } of data) {
      if (status === 'disabled') {
        const remedy = `Mend the receiver, then: timbre api PATCH /webhook_endpoints/${id} -d '{"status":"enabled"}'`
        findings.push(
          problem('webhooks', `${url} is disabled: ${REASONS[disabled_reason ?? ''] ?? disabled_reason}.`, remedy),
        )
        continue
      }
      const failed = await api.call<Page<{ error: string | null }>>('GET', `/webhook_endpoints/${id}/deliveries`, {
        query: { limit: 1, status: 'failed' },
      })
      const last = failed.data[0]
      findings.push(
        last
          ? warning(
              'webhooks',
              `${url} is enabled; a delivery failed: ${last.error}.`,
              '`timbre logs --failed` shows them.',
            )
          : ok('webhooks', `${url} is enabled, and no delivery failed.`),
      )
    }
    return findings
  })
}

export function lookAtCertificate(api: Api, { id }: Empresa, now = Date.now()): Promise<readonly Finding[]> {
  return looking('certificate', async () => {
    const remedy = `Renew it at the authority that issued it, then upload it: timbre api POST /empresas/${id}/certificate -d @certificate.json`
    try {
      const { not_after, holder_name } = await api.call<{ not_after: string; holder_name: string }>(
        'GET',
        `/empresas/${id}/certificate`,
      )
      const days = Math.floor((Date.parse(not_after) - now) / DAY_MS)
      if (days < 0)
        return [problem('certificate', `That of ${holder_name} expired on ${not_after.slice(0, 10)}.`, remedy)]
      if (days < 30) return [warning('certificate', `That of ${holder_name} expires in ${days} days.`, remedy)]
      return [ok('certificate', `That of ${holder_name} is valid for ${days} days.`)]
    } catch (error) {
      if (explain(error).exit !== 'not_found') throw error
      if (api.mode === 'test') return [ok('certificate', 'None, and the sandbox needs none.')]
      return [
        problem(
          'certificate',
          'None: nothing can be signed.',
          `Upload it: timbre api POST /empresas/${id}/certificate -d @certificate.json`,
        ),
      ]
    }
  })
}

interface Folios {
  readonly tipo_dte: number
  readonly available: number
  readonly status: string
}

export function lookAtFolios(api: Api): Promise<readonly Finding[]> {
  return looking('folios', async () => {
    const { data } = await api.call<Page<Folios>>('GET', '/folios')
    const short = data.filter(({ status }) => status !== 'available')
    const some = data
      .filter(({ available }) => available > 0)
      .map(({ tipo_dte, available }) => `${available} of tipo ${tipo_dte}`)
    if (short.length === 0)
      return [
        ok(
          'folios',
          some.length > 0 ? `${some.join(', ')} are left.` : 'They come by themselves when a document needs them.',
        ),
      ]
    return short.map(({ tipo_dte, available, status }) => {
      const remedy = `Ask for more: timbre api POST /folios/requests -d '{"tipo_dte":${tipo_dte}}'`
      const says = `Tipo ${tipo_dte}: ${status}, ${available} are left.`
      return available > 0 ? warning('folios', says, remedy) : problem('folios', says, remedy)
    })
  })
}
