import type { Receivers } from '../../ports/receivers.ts'
import type { ReceiversOptions, Sender } from './http-sender.ts'
import { isLocalName, isPrivateAddress, literalAddress } from './private-address.ts'

/** The receivers of webhooks over HTTP. The client costs 20 MB, so it is loaded by whoever delivers, with the first delivery. */
export function httpReceivers(options: ReceiversOptions): Receivers {
  let sender: Sender | null = null
  let loading: Promise<Sender> | null = null
  const load = async () => {
    sender = (await import('./http-sender.ts')).openSender(options)
    return sender
  }
  return {
    post(posting) {
      if (sender) return sender.post(posting)
      loading ??= load()
      return loading.then((loaded) => loaded.post(posting))
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
