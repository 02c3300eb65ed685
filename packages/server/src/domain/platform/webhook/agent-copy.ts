import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { WebhookEndpoint } from './schema.ts'

export const deletesEndpoint: Irreversible<null> = {
  before: 'webhook_endpoints.get',
  says: () =>
    'Se va a eliminar este destino de webhooks y su secreto. Dejará de recibir avisos y no se puede recuperar.',
  shows: () => ({}),
}

const STATES: Readonly<Record<WebhookEndpoint['status'], string>> = { enabled: 'activado', disabled: 'desactivado' }

/** What it was before is gone, whoever loses access: only a new address ends with the agent. */
export const changesEndpoint: Irreversible<WebhookEndpoint> = {
  before: 'webhook_endpoints.get',
  says: ({ url, status, enabled_events }, input) =>
    `Se va a cambiar un destino de avisos: queda ${STATES[status]}, avisa a ${quoted(url)} de ` +
    `${enabled_events.includes('*') ? 'todo lo que ocurre' : enabled_events.map(quoted).join(', ')}.` +
    (input.url === undefined ? '' : ' Con una dirección puesta por el agente deja de avisar cuando pierda su acceso.'),
  shows: ({ url, status, enabled_events, empresas, description }) => ({
    url,
    status,
    enabled_events,
    empresas,
    description,
  }),
}
