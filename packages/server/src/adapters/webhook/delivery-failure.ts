import type { SendFailure } from '../../ports/webhook-sender.ts'

/** The name stands for addresses of which none is on the public internet. */
export class AddressNotAllowed extends Error {
  constructor() {
    super('no public address')
    this.name = 'AddressNotAllowed'
  }
}

export class DnsLookupFailed extends Error {
  constructor(cause: unknown) {
    super('the name could not be resolved', { cause })
    this.name = 'DnsLookupFailed'
  }
}

const BY_CODE: Readonly<Record<string, SendFailure>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ETIMEDOUT: 'connection_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connection_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
}

const TLS = /^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERROR_IN_CERT_|HOSTNAME_)/

/** What went wrong, in the words a caller is shown. Whatever is not known to be something else is a lost connection. */
export function failureOf(error: Error): SendFailure {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed'
  if (error instanceof DnsLookupFailed) return 'dns_lookup_failed'
  const code = String((error as { code?: unknown }).code ?? '')
  if (error.name === 'HTTPParserError') return 'invalid_response'
  return BY_CODE[code] ?? (TLS.test(code) ? 'tls_failed' : 'connection_lost')
}
