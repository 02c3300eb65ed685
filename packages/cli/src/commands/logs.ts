import type { Api, Page } from '../api/api.ts'
import type { Context } from '../command.ts'
import { requireCount } from '../count.ts'
import { type Output, plain } from '../output.ts'

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly event_type: string
  readonly trigger: string
  readonly status: string
  readonly attempts: number
  readonly response_status: number | null
  readonly error: string | null
  readonly duration_ms: number | null
  readonly created_at: string
}

interface AuditEntry {
  readonly created_at: string
  readonly action: string
  readonly outcome: string
  readonly code: string | null
  readonly actor: { readonly kind: string; readonly id: string | null; readonly ip: string | null }
  readonly subject: string | null
}

export async function run({ api: open, options, out }: Context): Promise<void> {
  const api = await open()
  const limit = requireCount(options, 'last', 20)
  if (options.flag('audit')) return audit(api, out, limit)
  const { data: endpoints } = await api.call<Page<{ id: string; url: string }>>('GET', '/webhook_endpoints')
  const rows: (Delivery & { readonly url: string })[] = []
  for (const { id, url } of endpoints) {
    const query = { limit, ...(options.flag('failed') && { status: 'failed' }) }
    const { data } = await api.call<Page<Delivery>>('GET', `/webhook_endpoints/${id}/deliveries`, { query })
    rows.push(...data.map((delivery) => ({ ...delivery, url })))
  }
  rows.sort((one, other) => (one.id < other.id ? -1 : 1))
  for (const row of rows) out.line(row, lineOf(out, row))
  if (rows.length === 0) {
    out.note(
      endpoints.length === 0
        ? 'There is no webhook endpoint. On this machine, `timbre listen` needs none.'
        : 'No deliveries.',
    )
  }
}

function lineOf(out: Output, row: Delivery & { readonly url: string }): string {
  const colour = row.status === 'succeeded' ? 'green' : row.status === 'failed' ? 'red' : 'yellow'
  const what = `${row.response_status ?? '---'} ${row.duration_ms ?? '-'} ms, ${row.attempts} ${row.attempts === 1 ? 'try' : 'tries'}`
  const why = row.error ? `: ${row.error}` : ''
  const replay = row.trigger === 'automatic' ? '' : ` (${row.trigger})`
  return `${out.paint('dim', row.created_at)}  ${out.paint(colour, row.status.padEnd(9))} ${row.event_type.padEnd(30)} ${row.event_id}${replay}  ${what}${why}  ${plain(row.url)}`
}

async function audit(api: Api, out: Output, limit: number): Promise<void> {
  const { data } = await api.call<Page<AuditEntry>>('GET', '/audit_log', { query: { limit } })
  for (const entry of [...data].reverse()) {
    const { created_at, action, outcome, code, actor, subject } = entry
    const who = [actor.kind, actor.id, actor.ip].filter(Boolean).join(' ')
    out.line(
      entry,
      plain(`${created_at}  ${action.padEnd(30)} ${outcome}${code ? ` (${code})` : ''}  ${who}  ${subject ?? ''}`),
    )
  }
}
