import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type { Signer } from '@timbre/dte'
import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Vault } from '../../kernel/vault.ts'

const generate = promisify(generateKeyPair)

/** A new RSA key, made on the thread pool: the event loop goes on meanwhile. */
export async function newRsaKey(bits: number): Promise<KeyObject> {
  const { privateKey } = await generate('rsa', { modulusLength: bits })
  return privateKey
}

const AUTHORITY_BITS = 1024
/** Half of what a real certificate has: nothing rests on it, and signing costs a seventh (docs/decisions/0013). */
const SIGNER_BITS = 1024

/** Nobody's RUT, and years that no test clock leaves. */
const HOLDER = {
  rut: '11111111-1',
  holder: 'Firmante de Prueba',
  issuer: 'Certificadora de Prueba',
  serial: 1,
  valid_from: new Date('2020-01-01T00:00:00Z'),
  valid_until: new Date('2049-12-31T23:59:59Z'),
}

const derOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' })
const keyOf = (der: Buffer) => createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })

/** The owner a key is sealed for in the vault. */
export const keyOwner = (name: string) => `sandbox_key:${name}`

export interface SandboxKeys {
  /** Signs the CAFs of the sandbox, in the place of the SII. */
  authority(): Promise<KeyObject>
  /** Signs the documents of the sandbox, in the place of a person. */
  signer(): Promise<Signer>
}

/** Asked again after a failure, otherwise once. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null
  return () => {
    known ??= load().catch((error: unknown) => {
      known = null
      throw error
    })
    return known
  }
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
  return {
    authority: once(() => stored('authority', AUTHORITY_BITS)),
    signer: once(async () => {
      const key = await stored('signer', SIGNER_BITS)
      const { createSigner, issueCertificate } = await import('@timbre/dte/emission')
      // The same key and the same order give the same bytes: PKCS#1 v1.5 draws nothing at random.
      return createSigner(key, new X509Certificate(issueCertificate(HOLDER, key)))
    }),
  }
}
