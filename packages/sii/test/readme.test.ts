import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as face from '../src/index.ts'
import { respuesta, seed, soap, token } from './support/answers.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, type ScriptedSii } from './support/scripted-sii.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [code = ''] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block)

describe('the README', () => {
  let sii: ScriptedSii
  beforeAll(async () => {
    sii = await openScriptedSii()
  })
  afterAll(() => sii.close())

  it('shows code that runs as it is written, but for the hosts', async () => {
    sii.on('/CrSeed.jws', seed())
    sii.on('/GetTokenFromSeed.jws', token())
    sii.on('/DTEUpload', '<RECEPCIONDTE><STATUS>0</STATUS><TRACKID>0260003916</TRACKID></RECEPCIONDTE>')
    sii.on('/QueryEstUp.jws', soap('getEstUp', respuesta('<ESTADO>SOK</ESTADO>')))
    const facts: face.CallFact[] = []
    const scope = {
      ...face,
      SII_HOSTS: face.simulatedHosts(sii.base),
      identity: newPerson(),
      bytes: Buffer.from('<EnvioDTE/>'),
      record: (fact: face.CallFact) => facts.push(fact),
    }
    const AsyncFunction = (async () => {}).constructor as new (
      ...parts: string[]
    ) => (...values: unknown[]) => Promise<unknown>
    const body = `${code.replace(/^import .*$/m, '')}\nreturn outcome`
    expect(await new AsyncFunction(...Object.keys(scope), body)(...Object.values(scope))).toBe('pending')
    expect(facts.map(({ operation }) => operation)).toEqual(['getSeed', 'getToken', 'DTEUpload', 'getEstUp'])
  })
})
