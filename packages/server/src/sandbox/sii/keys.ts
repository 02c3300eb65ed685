import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type { CertificateOrder, Signer } from '@timbre/dte'
import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import { lazily } from '../../kernel/lazily.ts'
import type { Vault } from '../../kernel/vault.ts'
import type { PlayedSupplier } from '../../ports/sii.ts'

const generate = promisify(generateKeyPair)

/** A new RSA key, made on the thread pool: the event loop goes on meanwhile. */
export async function newRsaKey(bits: number): Promise<KeyObject> {
  const { privateKey } = await generate('rsa', { modulusLength: bits })
  return privateKey
}

const AUTHORITY_BITS = 1024
/** Half of what a real certificate has: nothing rests on it, and signing costs a seventh (docs/decisions/0013). */
export const SIGNER_BITS = 1024
/** The length of the key in a CAF of the SII. */
export const FOLIO_KEY_BITS = 512

/** Years that no test clock leaves. */
const YEARS = { valid_from: new Date('2020-01-01T00:00:00Z'), valid_until: new Date('2049-12-31T23:59:59Z') }
const CERTIFIER = 'Certificadora de Prueba'
const ROOT = { holder: CERTIFIER, issuer: CERTIFIER, serial: 1, ...YEARS, authority: { path_length: 0 } }
/** Nobody's RUT. */
const HOLDER = { rut: '11111111-1', holder: 'Firmante de Prueba', issuer: CERTIFIER, serial: 2, ...YEARS }
/** Before any test clock begins. */
const EXPIRED = { valid_from: new Date('2018-01-01T00:00:00Z'), valid_until: new Date('2019-01-01T00:00:00Z') }

const derOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' })
const keyOf = (der: Buffer) => createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })

/** The owner a key is sealed for in the vault. */
export const keyOwner = (name: string) => `sandbox_key:${name}`

export interface SandboxKeys {
  /** Signs the CAFs of the sandbox, in the place of the SII. */
  authority(): Promise<KeyObject>
  /** Signs the documents of the sandbox, in the place of a person. */
  signer(): Promise<Signer>
  /** The root of the CA that vouches for the signers of the sandbox, DER: its key is the authority's. */
  certifier(): Promise<Uint8Array>
  /** Signs in the place of a supplier, with the key of the signer and a certificate of the kind that is asked for. */
  supplier(supplier: PlayedSupplier): Promise<Signer>
}

/** The keys of the sandbox, the same for every process over one database: whichever stores one first made it. */
export function sandboxKeys({ sql, vault }: { sql: Sql; vault: Vault }): SandboxKeys {
  const stored = async (name: string, bits: number): Promise<KeyObject> => {
    const owner = keyOwner(name)
    const find = async () => {
      const [row] = await sql<{ sealed: Buffer }>`select sealed from sandbox_key where name = ${name}`
      return row ? keyOf(Buffer.from(vault.open(owner, row.sealed))) : null
    }
    const found = await find()
    if (found) return found
    const sealed = Buffer.from(vault.seal(owner, derOf(await newRsaKey(bits))))
    await sql`
      insert into sandbox_key (name, sealed, created_at) values (${name}, ${sealed}, ${new Date(systemNow())})
      on conflict (name) do nothing`
    const kept = await find()
    if (!kept) throw new Error(`the sandbox key ${name} was stored and is not there`)
    return kept
  }
  const authority = lazily(() => stored('authority', AUTHORITY_BITS))
  const signer_key = lazily(() => stored('signer', SIGNER_BITS))
  // The same key and the same order give the same bytes: PKCS#1 v1.5 draws nothing at random.
  const sign = async (order: CertificateOrder, self_signed = false): Promise<Signer> => {
    const [key, certifier] = await Promise.all([signer_key(), authority()])
    const { createSigner, issueCertificate } = await import('@timbre/dte/emission')
    return createSigner(key, new X509Certificate(issueCertificate(order, key, self_signed ? key : certifier)))
  }
  return {
    authority,
    signer: lazily(() => sign(HOLDER)),
    certifier: lazily(async () => {
      const { issueCertificate } = await import('@timbre/dte/emission')
      return issueCertificate(ROOT, await authority())
    }),
    supplier: ({ rut, legal_name, certificate }) => {
      if (certificate === 'of_other_person') return sign(HOLDER)
      const order = { ...HOLDER, rut, holder: legal_name, ...(certificate === 'expired' && EXPIRED) }
      return sign(order, certificate === 'self_signed')
    },
  }
}
