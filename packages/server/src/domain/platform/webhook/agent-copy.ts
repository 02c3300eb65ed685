import type { Irreversible } from '../../agent-tool.ts'

export const deletesEndpoint: Irreversible<null> = {
  before: 'webhook_endpoints.get',
  says: () =>
    'Se va a eliminar este destino de webhooks y su secreto. Dejará de recibir avisos y no se puede recuperar.',
  shows: () => ({}),
}
