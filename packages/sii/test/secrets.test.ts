import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Identity } from '../src/index.ts'
import { redactBody, redactHeaders, redactText } from '../src/redact.ts'
import { BOLETA_TOKEN, boletaSeed, boletaToken, respuesta, seed, soap, TOKEN, token } from './support/answers.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from './support/scripted-sii.ts'

describe('everything that is kept of every call', () => {
  let sii: ScriptedSii
  let identity: Identity
  beforeAll(async () => {
    sii = await openScriptedSii()
    identity = newPerson()
  })
  afterAll(() => sii.close())

  it('holds no token, key, certificate or signature, not even where the SII echoes one', async () => {
    sii.on('/CrSeed.jws', seed())
    sii.on('/GetTokenFromSeed.jws', token())
    sii.on('/boleta.electronica.semilla', boletaSeed())
    sii.on('/boleta.electronica.token', boletaToken())
    const echo = (given: string) => respuesta(`<ESTADO>-4</ESTADO><GLOSA>token ${given} no sirve</GLOSA>`)
    sii.on('/QueryEstUp.jws', soap('getEstUp', echo(TOKEN)))
    sii.on('/QueryEstDteAv', soap('getEstDteAv', echo(TOKEN)))
    sii.on('/DTEUpload', (response) =>
      response.writeHead(200, { 'set-cookie': `TOKEN=${TOKEN}; path=/`, 'x-echo': TOKEN }).end(`Error ${TOKEN}`),
    )
    sii.on('/registroreclamodteservice', `<html><title>${TOKEN}</title></html>`)
    sii.on('/boleta.electronica.envio', { status: 400, body: `rechazado ${BOLETA_TOKEN}` })
    const { client, facts } = openTestClient(sii)
    const caller = { identity, ambiente: 'produccion' as const }
    const document = {
      emisor_rut: '76543210-3',
      receptor_rut: '60803000-K',
      tipo_dte: 33,
      folio: 1,
      issue_date: '2026-10-05',
      total: 1000,
    }
    const signature_value = 'c2lnbmF0dXJlIG9mIGEgZG9jdW1lbnQ='
    const signed = `<SignatureValue>${signature_value}</SignatureValue>${identity.signer.key_info}`
    const file = { company_rut: '76543210-3', file_name: 'a.xml', bytes: Buffer.from(signed) }
    const failures = await Promise.all(
      [
        client.dte.envelopeStatus(caller, { company_rut: '76543210-3', track_id: '1' }),
        client.dte.signedDocumentStatus(caller, { ...document, signature_value }),
        client.dte.upload(caller, file),
        client.claims.register(caller, document, 'ACD'),
        client.boleta.upload(caller, file),
      ].map((promise) => promise.then(() => expect.unreachable('each of them fails')).catch((failure) => failure)),
    )
    await client.close()

    const kept = inspect(
      { facts, failures, stacks: failures.map(({ stack }) => stack) },
      { depth: 20, maxStringLength: null },
    )
    expect(kept).toContain('getEstUp')
    expect(kept).toContain('token *** no sirve')
    const certificate = /<X509Certificate>([^<]*)/.exec(identity.signer.key_info)?.[1] ?? ''
    const modulus = /<Modulus>([^<]*)/.exec(identity.signer.key_info)?.[1] ?? ''
    const key = identity.signer.key.export({ format: 'jwk' }).d ?? ''
    const pem = identity.signer.key.export({ type: 'pkcs8', format: 'pem' }).toString().split('\n')[2] ?? ''
    const secrets = { TOKEN, BOLETA_TOKEN, signature_value, certificate, modulus, key, pem }
    for (const [name, secret] of Object.entries(secrets)) {
      // Their first line is enough: each is long and random.
      const start =
        secret
          .replace(/^-----[^\n]*\n/, '')
          .split('\n')[0]
          ?.slice(0, 30) ?? ''
      expect(start.length, name).toBeGreaterThan(10)
      expect(kept.includes(start), `${name} is in what is kept`).toBe(false)
    }
    const signatures = sii.heard.flatMap(({ body }) =>
      Array.from(body.matchAll(/SignatureValue(?:>|&gt;)([A-Za-z0-9+/]{20})/g), ([, value]) => value ?? ''),
    )
    expect(signatures.length).toBeGreaterThan(2)
    expect(signatures.filter((value) => kept.includes(value))).toEqual([])
  })
})

describe('what is blanked', () => {
  const SECRET = 'Cl4ve&<ñ> "x"'

  it('is a secret in every form in which it may travel', () => {
    const forms = [
      SECRET,
      encodeURIComponent(SECRET),
      new URLSearchParams({ a: SECRET }).toString(),
      JSON.stringify({ a: SECRET }),
      'Cl4ve&amp;&lt;ñ&gt; "x"',
      'Cl4ve&amp;&lt;ñ&gt; &quot;x&quot;',
    ]
    for (const form of forms) {
      expect(redactText(form, [SECRET])).not.toContain('Cl4ve')
      for (const alphabet of ['utf8', 'latin1'] as const) {
        expect(redactBody(Buffer.from(form, alphabet), [SECRET])).not.toContain('Cl4ve')
      }
    }
  })

  it('is a field with a password, in a form, in JSON and in a multipart body, also when nobody named it', () => {
    const bodies = [
      'rut=1&clave=hush-hush&x=1',
      '{"password" : "hush-hush"}',
      '{"metaData":{"conversationId":"hush-hush"}}',
      'Content-Disposition: form-data; name="clave"\r\n\r\nhush-hush\r\n--',
      '<RSASK>-----BEGIN RSA PRIVATE KEY-----\nhush-hush\n-----END RSA PRIVATE KEY-----</RSASK>',
      '-----BEGIN PRIVATE KEY-----\nhush+hush',
      '&lt;TOKEN&gt;hush-hush&lt;/TOKEN&gt;',
      '<SII:TOKEN xsi:type="xsd:string">hush-hush</SII:TOKEN>',
    ]
    for (const body of bodies) expect(redactBody(body, [])).not.toMatch(/hush/)
  })

  it('is a secret that stands where a long body is cut', () => {
    for (const before of [2_040, 2_047, 16_370, 16_380, 16_383]) {
      const kept = redactBody(Buffer.from(`${'.'.repeat(before)}s3cr3t-token-value${'.'.repeat(9_000)}`), [
        's3cr3t-token-value',
      ])
      expect(kept).not.toContain('s3')
      expect(kept.length).toBeLessThanOrEqual(2_048)
    }
    // Blanking may bring what was cut into what is kept.
    const shrinking = `${'<TOKEN>'.padEnd(16_300, 'x')}</TOKEN>${'.'.repeat(60)}s3cr3t-token-value`
    expect(redactBody(shrinking, ['s3cr3t-token-value'])).not.toContain('s3')
  })

  it('leaves of cookies their names alone', () => {
    const headers = { Cookie: 'TOKEN=abc; NETSCAPE_LIVEWIRE.rut=1234', 'set-cookie': ['A=1; path=/', 'B=2'] }
    expect(redactHeaders(headers, [])).toEqual({
      cookie: 'TOKEN=***; NETSCAPE_LIVEWIRE.rut=***',
      'set-cookie': 'A=***; path=/, B=***',
    })
  })
})
