import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Ambiente, HOSTS } from '../hosts.ts'
import { writeCertificate } from './certificate.ts'

/**
 * Number of the key under which CAFs are signed (`IDK`). The key is the simulator's own; its numbers are those of the SII,
 * by which every client tells the folios of one environment from those of the other.
 */
export const CAF_IDK: Readonly<Record<Ambiente, number>> = { certificacion: 100, produccion: 300 }

const NAME = { common_name: 'Autoridad de prueba del simulador del SII', organisation: 'Simulador del SII' }
const YEAR = 365 * 86_400_000

/**
 * The simulator's secrets: an authority that issues test certificates and its own TLS one, and the key that signs
 * CAFs. Made at the first start and kept in the data folder; the RSA ones take seconds, so they are made aside.
 */
export type Authority = {
  ca: { key: KeyObject; pem: string; certificate: X509Certificate; name: typeof NAME }
  tls: { key: string; cert: string }
  /** The SII's key for CAFs. */
  cafKey(): Promise<KeyObject>
  /** A fresh RSA key for a person. */
  personKey(): Promise<KeyObject>
  /** A fresh key for a range of folios, made aside while nobody waits for it. */
  rangeKey(): Promise<KeyObject>
  /** Starts making the slow keys, and from now on some in advance, so that nobody waits for them. */
  prepare(): void
}

const makeRsa = async (bits: number): Promise<KeyObject> =>
  (await promisify(generateKeyPair)('rsa', { modulusLength: bits })).privateKey

/** Those of real ranges have 512 bits and the exponent 3. */
const makeRangeKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)('rsa', { modulusLength: 512, publicExponent: 3 })).privateKey

/** A company that begins asks for folios of every tipo, one after the other. */
const RANGE_KEYS_IN_ADVANCE = 8

/** Without a folder nothing is written. */
export function openAuthority(folder: string | null): Authority {
  const keys = folder === null ? null : join(folder, 'keys')
  if (keys) mkdirSync(keys, { recursive: true, mode: 0o700 })
  const kept = (name: string, make: () => string): string => {
    if (!keys) return make()
    const path = join(keys, name)
    if (!existsSync(path)) writeFileSync(path, make(), { mode: 0o600 })
    return readFileSync(path, 'utf8')
  }
  const pemOfKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const makeEc = () => pemOfKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

  const now = Date.now()
  const caKey = createPrivateKey(kept('ca.key', makeEc))
  // Valid since long ago: the simulator's clock may be set to any day of this decade.
  const caPem = kept(
    'ca.pem',
    () =>
      writeCertificate({
        subject: NAME,
        issuer: NAME,
        holder_key: caKey,
        signing_key: caKey,
        not_before: now - 10 * YEAR,
        not_after: now + 20 * YEAR,
        use: { kind: 'authority' },
      }).pem,
  )
  const tlsKey = kept('tls.key', makeEc)
  const tlsPem = kept(
    'tls.pem',
    () =>
      writeCertificate({
        subject: { common_name: 'simulador.sii.cl' },
        issuer: NAME,
        holder_key: createPrivateKey(tlsKey),
        signing_key: caKey,
        not_before: now - YEAR,
        not_after: now + 2 * YEAR,
        use: { kind: 'server', names: ['localhost', '127.0.0.1', '::1', ...HOSTS] },
      }).pem,
  )

  let cafKey: Promise<KeyObject> | undefined
  let spare: Promise<KeyObject> | undefined
  const rangeKeys: Promise<KeyObject>[] = []
  let inAdvance = false
  const fillRangeKeys = () => {
    // One is made as soon as one is taken; before anybody asked, none.
    const wanted = inAdvance ? RANGE_KEYS_IN_ADVANCE : 1
    while (rangeKeys.length < wanted) rangeKeys.push(makeRangeKey())
  }
  return {
    ca: { key: caKey, pem: caPem, certificate: new X509Certificate(caPem), name: NAME },
    tls: { key: tlsKey, cert: tlsPem },
    cafKey() {
      cafKey ??= (async () => {
        const path = keys && join(keys, 'caf.key')
        if (path && existsSync(path)) return createPrivateKey(readFileSync(path, 'utf8'))
        const made = await makeRsa(1024)
        if (path) writeFileSync(path, pemOfKey(made), { mode: 0o600 })
        return made
      })()
      return cafKey
    },
    personKey() {
      const taken = spare ?? makeRsa(2048)
      spare = inAdvance ? taken.then(() => makeRsa(2048)) : undefined
      return taken
    },
    rangeKey() {
      const taken = rangeKeys.shift() ?? makeRangeKey()
      void taken.then(fillRangeKeys)
      return taken
    },
    prepare() {
      inAdvance = true
      fillRangeKeys()
      void this.cafKey()
      spare ??= makeRsa(2048)
    },
  }
}

export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}
