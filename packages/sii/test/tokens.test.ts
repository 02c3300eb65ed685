import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity, SiiFailure } from '../src/index.ts'
import { ERROR_PAGE, respuesta, seed, soap, TOKEN, token } from './support/answers.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from './support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())
beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CrSeed.jws', seed())
  sii.on('/GetTokenFromSeed.jws', token())
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const caller = () => ({ identity, ambiente: 'certificacion' as const })

describe('a token of the DTE channel', () => {
  it('is asked for with a seed that the person signed, and kept for the next question', async () => {
    const { client } = openTestClient(sii)
    expect(await client.withDteToken(caller(), async (given) => given)).toBe(TOKEN)
    expect(await client.withDteToken(caller(), async (given) => given)).toBe(TOKEN)
    expect(sii.heard.map(({ path }) => path)).toEqual([
      '/maullin.sii.cl/DTEWS/CrSeed.jws',
      '/maullin.sii.cl/DTEWS/GetTokenFromSeed.jws',
    ])
    expect(sii.heard[1]?.body).toContain('&lt;Semilla&gt;168441616904&lt;/Semilla&gt;')
    await client.close()
  })

  it('has its seed asked for six times at most, each wait longer than the one before', async () => {
    sii.on('/CrSeed.jws', ERROR_PAGE)
    const { client, waits } = openTestClient(sii)
    const failure = await failureOf(client.withDteToken(caller(), async (given) => given))
    expect(failure).toMatchObject({ kind: 'unreachable', operation: 'getSeed', service: 'dte', retry: 'later' })
    expect(sii.heard).toHaveLength(6)
    expect(waits).toHaveLength(5)
    expect(waits.every((wait, index) => wait >= 1000 * 2 ** index && wait <= 1500 * 2 ** index)).toBe(true)
    await client.close()
  })

  it('is refused for good where the signature is not understood, whatever the SII calls it', async () => {
    sii.on('/GetTokenFromSeed.jws', soap('getToken', respuesta('<ESTADO>10</ESTADO><GLOSA>Error Interno</GLOSA>')))
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.withDteToken(caller(), async (given) => given))
    expect(failure).toMatchObject({
      kind: 'refused',
      estado: '10',
      glosa: 'Error Interno',
      retry: 'never',
      sent: false,
    })
    await client.close()
  })
})
