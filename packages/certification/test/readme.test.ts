import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeCaf, makeIdentity, SIGNER_RUT } from '../../dte/test/support/keys.ts'
import * as face from '../src/index.ts'
import { INPUTS } from './support/inputs.ts'
import { bytesOf, COMPRA } from './support/own-set.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [code = ''] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block)

it('the README shows code that runs as it is written', async () => {
  const cafs = new Map([46, 61].map((tipo_dte) => [tipo_dte, makeCaf({ tipo_dte })]))
  const scope = {
    ...face,
    ...INPUTS,
    bytes: bytesOf(COMPRA),
    signer: makeIdentity().signer,
    envia_rut: SIGNER_RUT,
    tmst_firma: '2026-10-05T12:00:00',
    cafOf: (tipo_dte: number) => cafs.get(tipo_dte),
  }
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<unknown>
  const body = `${code.replace(/^import .*$/m, '')}\nreturn { asked, findings, files }`
  const result = await new AsyncFunction(...Object.keys(scope), body)(...Object.values(scope))
  expect(result).toMatchObject({ asked: [], findings: [], files: [{ ok: true }] })
})
