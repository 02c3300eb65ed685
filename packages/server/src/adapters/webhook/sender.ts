import type { WebhookSender } from '../../ports/webhook-sender.ts'
import type { HttpClient, WebhookSenderOptions } from './http-client.ts'
import { isLinkLocal, isLocalName, isPrivateAddress, isThisMachine, literalAddress, portOf } from './private-address.ts'

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
    forbids(url) {
      const { hostname } = url
      const literal = literalAddress(hostname)
      if (options.own_ports?.has(portOf(url)) && (literal === null ? isLocalName(hostname) : isThisMachine(literal)))
        return true
      if (options.allow_private) return literal !== null && isLinkLocal(literal)
      return literal === null ? isLocalName(hostname) : isPrivateAddress(literal)
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
