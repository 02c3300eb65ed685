import type { Tokens } from './auth.ts'
import { type Ambiente, SII_HOSTS } from './hosts.ts'
import type { Caller } from './identity.ts'
import { SOAP_HEADERS, type SoapParts, writeSoap } from './soap.ts'
import type { Read, SiiAnswer, Wire } from './wire.ts'

/** What a group of services is made of. */
export interface Access {
  readonly wire: Wire
  readonly tokens: Tokens
}

/** One question to an Axis service of the DTE host, which takes its token among its arguments. */
export interface TokenQuestion {
  readonly path: string
  readonly operation: string
  /** The service's own namespace; its address, where none is given, as its WSDL has it. */
  readonly namespace?: string
  readonly parts: (token: string) => SoapParts
}

/** An address as the SII's own WSDL has it, also while a simulator stands in for it. */
const addressOf = (ambiente: Ambiente, path: string): string => `${SII_HOSTS[ambiente].dte}${path}`

export function askSoap<T>(
  { wire, tokens }: Access,
  caller: Caller,
  { path, operation, namespace, parts }: TokenQuestion,
  read: (answer: SiiAnswer) => Read<T>,
): Promise<T> {
  const { ambiente } = caller
  return tokens.withToken(caller, 'dte', (token) => {
    const body = writeSoap(namespace ?? addressOf(ambiente, path), operation, parts(token), 'rpc')
    // The services read it from the argument; the manual also has it as a cookie.
    const headers = { ...SOAP_HEADERS, cookie: `TOKEN=${token}` }
    return wire.call(
      { service: 'dte', ambiente, operation, method: 'POST', path, headers, body, secrets: [token] },
      read,
    )
  })
}
