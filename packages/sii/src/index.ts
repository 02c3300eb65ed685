/** The public face of the package. What is not listed here is private to it. */

export { openSiiClient, type SiiClient, type SiiClientOptions } from './client.ts'
export { SiiFailure, type SiiFailureKind, type SiiRetry } from './failure.ts'
export { type Ambiente, SII_HOSTS, type SiiHosts, type SiiService, simulatedHosts } from './hosts.ts'
export type { Caller, Identity } from './identity.ts'
export { type CallLimits, DEFAULT_LIMITS } from './limits.ts'
export { memoryTokens, type Token, type TokenChannel, type TokenKey, type TokenStore } from './tokens.ts'
export type { CallFact, CallTrace, TracedMessage } from './wire.ts'
