import type { WebhookSender } from '../../ports/webhook-sender.ts'
import type { HttpClient, WebhookSenderOptions } from './http-client.ts'
import { isLocalName, isPrivateAddress, literalAddress } from './private-address.ts'

/** Webhooks over HTTP. The client costs 20 MB, so only a process that delivers loads it, with its first delivery. */
export function httpWebhookSender(options: WebhookSenderOptions): WebhookSender {
  let client: HttpClient | null = null
  let loading: Promise<HttpClient> | null = null
  const load = async () => {
    client = (await import('./http-client.ts')).openHttpClient(options)
    return client
  }
  return {
    post(request) {
      if (client) return client.post(request)
      loading ??= load()
      return loading.then((loaded) => loaded.post(request))
    },
    forbids(hostname) {
      if (options.allow_private) return false
      const literal = literalAddress(hostname)
      return literal === null ? isLocalName(hostname) : isPrivateAddress(literal)
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
