import { createHash, createPublicKey, sign, verify, X509Certificate } from 'node:crypto'
import { issueCertificate } from '../packages/dte/src/certificate/issue.ts'
import { buildSobre } from '../packages/dte/src/envelope/sobre.ts'
import { latin1Bytes, XML_DECLARATION } from '../packages/dte/src/xml/write.ts'
import { makeIdentity, TEST_SII_KEYS } from '../packages/dte/test/support/keys.ts'
import { openVerifier } from '../packages/sii-simulator/src/verify/open.ts'
import { canonical, namespacesInScope } from '../packages/sii-simulator/src/verify/xml/canonical.ts'
import { parseXml } from '../packages/sii-simulator/src/verify/xml/parse.ts'
import { asked } from './asked.ts'
import { takeTurns } from './cpu-turns.ts'
import { makeSubject } from './dte-subject.ts'

/**
 * The simulator's verifier on one core, beside what nobody can avoid for a document: its part of the digest of the
 * envelope, its own canonical form and digest, and two RSA verifications (signature and timbre).
 */
const COUNT = 200
const subject = makeSubject(33, 2048)
const documents = Array.from({ length: COUNT }, (_, index) => ({ tipo_dte: 33 as const, xml: subject.emit(index + 1) }))
const { rut } = subject.signer
const made = await buildSobre(
  {
    emisor_rut: '76543210-3',
    envia_rut: rut ?? '',
    resolucion: { date: '2026-09-01', number: 0 },
    tmst_firma: '2026-10-05T12:05:00',
    documents,
  },
  subject.signer,
)
if (!made.ok) throw new Error(made.refusal.message)
const file = latin1Bytes(made.value)

// The subject's certificate names this authority and is signed with its own key.
const name = 'CA de Prueba'
const [valid_from, valid_until] = [new Date('2026-01-01'), new Date('2029-01-01')]
const order = { holder: name, issuer: name, serial: 1, valid_from, valid_until, authority: {} }
const authority = new X509Certificate(issueCertificate(order, subject.signer.key))
const verifier = openVerifier({
  trusted_ca: [authority.toString()],
  caf_keys: new Map(Object.entries(TEST_SII_KEYS)),
})
const judge = () => {
  const { estado, findings, documents } = verifier.verify(file, {
    sender_rut: rut ?? '',
    company_rut: '76543210-3',
    ambiente: 'certificacion',
    channel: 'dte',
    today: '2026-10-06',
    taxpayer: () => ({ rut: '76543210-3', resolution: null, tipos: null, actecos: null }),
    document: () => null,
    mayFile: () => true,
    maySign: () => true,
  })
  const accepted = documents.filter(({ outcome }) => outcome === 'accepted')
  if (accepted.length !== COUNT) throw new Error(`${estado} ${JSON.stringify([findings, documents[0]?.findings])}`)
}

const key = createPublicKey(subject.signer.key)
const caf_key = createPublicKey(makeIdentity({ bits: 1024 }).signer.key)
const data = Buffer.alloc(600, 'x')
const signature = sign('RSA-SHA1', data, subject.signer.key)
const { root } = parseXml(latin1Bytes(XML_DECLARATION + subject.emit(1)))
const rsa = () => {
  verify('RSA-SHA1', data, key, signature)
  verify('RSA-SHA1', data, caf_key, signature)
}
const bare = () => {
  for (const _ of ['envelope', 'document'])
    createHash('sha1')
      .update(canonical(root, namespacesInScope(root)), 'utf8')
      .digest()
  rsa()
}

const { cost, ratio } = await takeTurns(10, { judge, bare, rsa })
const because = `${(ratio('judge', 'bare') / COUNT).toFixed(2)} of bare C14N and RSA, ${(ratio('judge', 'rsa') / COUNT).toFixed(2)} of bare RSA`
asked(
  'documents judged, one core',
  (1e6 * COUNT) / cost('judge'),
  { at_least: 300 },
  { unit: ' /s', digits: 0, because },
)
