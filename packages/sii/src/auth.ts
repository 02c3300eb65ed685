import { buildGetToken } from '@timbre/dte/emission'
import { type AnswerFault, refused, SiiFailure, unavailable } from './failure.ts'
import { SII_HOSTS } from './hosts.ts'
import type { Caller } from './identity.ts'
import { need, type Respuesta, readBareRespuesta, readSoapRespuesta } from './respuesta.ts'
import { SOAP_HEADERS, type SoapParts, writeSoap } from './soap.ts'
import type { Token, TokenChannel, TokenStore } from './tokens.ts'
import type { Read, SiiAnswer, SiiCall, Wire } from './wire.ts'

/** The SII gives about 60 minutes; public clients trust 50. */
const TOKEN_LIFE_MS = 50 * 60_000
/** Seeds fail often: they cost the SII nothing to give and nobody anything to ask for again. */
const SEED_TRIES = 6
const FIRST_WAIT_MS = 1_000

/** Internal errors of the SII while it authenticates (manual 1.9, 5.2). Any other state is about what we sent. */
const AUTH_INTERNAL = new Set(['-1', '-2', '07', '09'])
/** The seed lived two minutes and they are over: another seed will do. */
const SEED_TIMED_OUT = '08'

export interface Tokens {
  /** Asks with a token; when the SII does not take it, once more with a new one. Never a third time. */
  withToken<T>(caller: Caller, channel: TokenChannel, ask: (token: string) => Promise<T>): Promise<T>
}

export function openTokens(wire: Wire, store: TokenStore): Tokens {
  return {
    withToken: async (caller, channel, ask) => {
      const { identity, ambiente } = caller
      const key = { fingerprint: identity.fingerprint, channel, ambiente }
      const make = () => makeToken(wire, caller, channel)
      const held = await store.get(key)
      const alive = held !== null && held.expires_at > wire.now()
      const { token } = alive ? held : await store.renew(key, held?.token ?? null, make)
      try {
        return await ask(token)
      } catch (failure) {
        if (!(failure instanceof SiiFailure && failure.token_refused)) throw failure
        const renewed = await store.renew(key, token, make).catch((without: unknown) => {
          // No token came, and what had been asked may have been done: that is what the caller has to know.
          throw failure.sent ? failure : without
        })
        return ask(renewed.token)
      }
    },
  }
}

async function makeToken(wire: Wire, caller: Caller, channel: TokenChannel): Promise<Token> {
  const door = channel === 'dte' ? SOAP_DOOR : REST_DOOR
  const seed = await askSeed(wire, () => wire.call(door.seed(caller), door.readSeed))
  const signed = await buildGetToken(seed, caller.identity.signer)
  const asked_at = wire.now()
  const token = await wire.call(door.token(caller, signed), door.readToken)
  return { token, expires_at: new Date(asked_at.getTime() + TOKEN_LIFE_MS) }
}

/** Waits 1, 2, 4… seconds between tries, each up to half as long again, so that processes do not ask in step. */
async function askSeed(wire: Wire, ask: () => Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (failure) {
      const passing = failure instanceof SiiFailure && failure.kind === 'unreachable'
      if (!passing || attempt >= SEED_TRIES) throw failure
      await wire.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random() / 2))
    }
  }
}

/** How a channel is asked. */
interface Door {
  seed(caller: Caller): SiiCall
  token(caller: Caller, signed: string): SiiCall
  readSeed(answer: SiiAnswer): Read<string>
  readToken(answer: SiiAnswer): Read<string>
}

const SOAP_DOOR: Door = {
  seed: (caller) => soapDoor(caller, '/DTEWS/CrSeed.jws', 'getSeed', []),
  token: (caller, signed) => soapDoor(caller, '/DTEWS/GetTokenFromSeed.jws', 'getToken', [['pszXml', signed]]),
  readSeed: (answer) => readGrant(readSoapRespuesta(answer, 'getSeed'), 'SEMILLA'),
  readToken: (answer) => readGrant(readSoapRespuesta(answer, 'getToken'), 'TOKEN'),
}

function soapDoor({ ambiente }: Caller, path: string, operation: string, parts: SoapParts): SiiCall {
  const body = writeSoap(`${SII_HOSTS[ambiente].dte}${path}`, operation, parts, 'rpc')
  return { service: 'dte', ambiente, operation, method: 'POST', path, headers: SOAP_HEADERS, body }
}

const XML_HEADERS = { accept: 'application/xml' }

const REST_DOOR: Door = {
  seed: ({ ambiente }) => ({
    service: 'boleta_api',
    ambiente,
    operation: 'boleta.semilla',
    method: 'GET',
    path: '/recursos/v1/boleta.electronica.semilla',
    headers: XML_HEADERS,
  }),
  token: ({ ambiente }, signed) => ({
    service: 'boleta_api',
    ambiente,
    operation: 'boleta.token',
    method: 'POST',
    path: '/recursos/v1/boleta.electronica.token',
    headers: { ...XML_HEADERS, 'content-type': 'application/xml' },
    body: signed,
  }),
  readSeed: (answer) => readGrant(readBareRespuesta(answer), 'SEMILLA'),
  readToken: (answer) => readGrant(readBareRespuesta(answer), 'TOKEN'),
}

function readGrant({ estado, glosa, body }: Respuesta, name: 'SEMILLA' | 'TOKEN'): Read<string> {
  if (estado !== '00') throw deny(estado, glosa)
  return { value: need(body, name), estado }
}

/** 10 says `Error Interno` but means a signature that the server could not verify: asking again changes nothing. */
function deny(estado: string, glosa: string | null): AnswerFault {
  if (AUTH_INTERNAL.has(estado)) return unavailable(estado, glosa)
  return refused(estado, glosa, estado === SEED_TIMED_OUT ? 'later' : 'never')
}
