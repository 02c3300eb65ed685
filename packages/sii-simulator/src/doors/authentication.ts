import { answerGetToken } from '../auth/get-token.ts'
import { issueSeed } from '../auth/seeds.ts'
import type { Answer, Door } from '../door.ts'
import type { SiiHost } from '../hosts.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { soapDoors } from '../soap/service.ts'

const DTE_HOSTS: readonly SiiHost[] = ['maullin.sii.cl', 'palena.sii.cl']
const BOLETA_HOSTS: readonly SiiHost[] = ['apicert.sii.cl', 'api.sii.cl']

function seedAnswer(seed: string): string {
  return respuesta(['RESP_BODY', elements(['SEMILLA', seed])], ['RESP_HDR', elements(['ESTADO', '00'])])
}

function restXml(body: string): Answer {
  return { type: 'application/xml;charset=utf-8', body }
}

/** Seed and token of both channels; a token of one is unknown to the other (SII, instructivo de boletas). */
export const AUTHENTICATION_DOORS: readonly Door[] = [
  ...soapDoors({
    door: 'seed',
    name: 'CrSeed',
    hosts: DTE_HOSTS,
    path: '/DTEWS/CrSeed.jws',
    operations: [
      { name: 'getSeed', parts: [], answer: (ctx, _args, { ambiente }) => seedAnswer(issueSeed(ctx, 'dte', ambiente)) },
    ],
  }),
  ...soapDoors({
    door: 'token',
    name: 'GetTokenFromSeed',
    hosts: DTE_HOSTS,
    path: '/DTEWS/GetTokenFromSeed.jws',
    operations: [
      {
        name: 'getToken',
        parts: ['pszXml'],
        answer: (ctx, [signed = ''], { ambiente }) => answerGetToken(ctx, signed, 'dte', ambiente),
      },
    ],
  }),
  {
    name: 'boleta_seed',
    hosts: BOLETA_HOSTS,
    method: 'GET',
    path: '/recursos/v1/boleta.electronica.semilla',
    handle: (ctx, { ambiente }) => restXml(seedAnswer(issueSeed(ctx, 'boleta', ambiente))),
  },
  {
    name: 'boleta_token',
    hosts: BOLETA_HOSTS,
    method: 'POST',
    path: '/recursos/v1/boleta.electronica.token',
    handle: (ctx, { ambiente, body }) => restXml(answerGetToken(ctx, body, 'boleta', ambiente)),
  },
]
