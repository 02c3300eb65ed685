import type { Mode } from '../../../catalog/modes.ts'
import type {
  DELIVERY_STATUSES,
  DeliveryError,
  DISABLED_REASONS,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
} from './schema.ts'

export interface EndpointRow {
  readonly account_id: string
  readonly id: string
  readonly mode: Mode
  readonly url: string
  readonly description: string
  readonly enabled_events: string[]
  readonly empresas: string[]
  readonly status: 'enabled' | 'disabled'
  readonly disabled_reason: (typeof DISABLED_REASONS)[number] | null
  readonly secret: Buffer
  /** The credential that made it. */
  readonly made_by: string | null
  /** Whether the agent that made it lost its access; absent on a row that was just written. */
  readonly grant_ended?: boolean
  /** The same of the agent that knows its secret. */
  readonly secret_grant_ended?: boolean
  /** Whether somebody who was thrown out of the account may know its secret. */
  readonly secret_exposed: boolean
  readonly created_at: Date
}

export interface DeliveryRow {
  readonly id: string
  readonly mode: Mode
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: string
  readonly empresa_rut: string | null
  readonly trigger: 'automatic' | 'replay' | 'ping'
  readonly status: (typeof DELIVERY_STATUSES)[number]
  readonly attempts: number
  readonly response_status: number | null
  readonly response_excerpt: string | null
  readonly error: DeliveryError | null
  readonly duration_ms: number | null
  readonly next_attempt_at: Date | null
  readonly created_at: Date
  readonly finished_at: Date | null
}

export interface AttemptRow {
  readonly attempt: number
  readonly at: Date
  readonly response_status: number | null
  readonly error: DeliveryError | null
  readonly duration_ms: number
}

export function showEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: row.id,
    mode: row.mode,
    url: row.url,
    description: row.description,
    enabled_events: row.enabled_events,
    empresas: row.empresas,
    status: row.grant_ended ? 'disabled' : row.status,
    disabled_reason: row.grant_ended ? 'grant_ended' : row.disabled_reason,
    created_at: row.created_at.toISOString(),
  }
}

export function showDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    object: 'webhook_delivery',
    id: row.id,
    mode: row.mode,
    webhook_endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    trigger: row.trigger,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    response_excerpt: row.response_excerpt,
    error: row.error,
    duration_ms: row.duration_ms,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

export function showWithAttempts(row: DeliveryRow, attempts: readonly AttemptRow[]): WebhookDeliveryWithAttempts {
  return {
    ...showDelivery(row),
    attempt_log: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  }
}
