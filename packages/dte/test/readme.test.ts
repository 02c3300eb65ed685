import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import * as dte from '../src/index.ts'
import { cafFile, makeIdentity, TEST_SII_KEYS } from './support/keys.ts'

const readme = readFileSync(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../README.md'), 'utf8')
const [use = '', sample = ''] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** Runs code of the README with names in scope and gives back what it declared. */
async function run(
  code: string,
  scope: Readonly<Record<string, unknown>>,
  wanted: string,
): Promise<Record<string, unknown>> {
  const body = code.replace(/^import .*$/m, '')
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<Record<string, unknown>>
  return new AsyncFunction(...Object.keys(scope), `${body}\nreturn { ${wanted} }`)(...Object.values(scope))
}

function pfxFile(password: string): Buffer {
  const { key_pem, certificate_pem } = makeIdentity()
  const key = forge.pki.privateKeyFromPem(key_pem)
  const file = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(certificate_pem)], password)
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1')
}

describe('the README', () => {
  it('shows code that runs as it is written', async () => {
    const { draft } = await run(sample, {}, 'draft')
    const scope = {
      dte,
      draft,
      instant: new Date('2026-10-05T15:00:00Z'),
      folio: 7,
      pfx: pfxFile('clave'),
      password: 'clave',
      caf_file: cafFile({ tipo_dte: 33 }),
      sii_keys: TEST_SII_KEYS,
      resolucion: { date: '2014-08-22', number: 80 },
    }
    const made = await run(use, scope, 'refusals, document, received, page')
    expect(made.refusals).toEqual([])
    expect(made.document).toMatchObject({ folio: 7, totals: { net: 4500, iva: 855, total: 5355 } })
    expect(made.received).toMatchObject({ kind: 'EnvioDTE', documents: [{ ok: true, value: { warnings: [] } }] })
    const checked = dte.verifySignatures((made.received as dte.ReadEnvelope).xml)
    expect(checked).toMatchObject({ ok: true, value: [{ refusal: null }, { refusal: null }] })
    expect(Buffer.from(made.page as Uint8Array).toString('latin1', 0, 5)).toBe('%PDF-')
  })
})
