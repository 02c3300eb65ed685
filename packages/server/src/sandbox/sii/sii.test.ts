import { createPublicKey } from 'node:crypto'
import { findIssuer, readCaf, readCertificate, SII_KEYS, type Signer } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MASTER_KEY } from '../../../test/support/master-key.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { localVault } from '../../adapters/vault/local.ts'
import type { CafRequest, PlayedSupplier, Sii } from '../../ports/sii.ts'
import { newRsaKey } from './keys.ts'
import { sandboxSii } from './sii.ts'

const vault = localVault(new Map([[1, MASTER_KEY]]))
const scope = { account_id: 'acct_x', mode: 'test', empresa_id: 'emp_x', rut: '76192083-9' } as const
const request: CafRequest = {
  empresa: scope,
  rut: scope.rut,
  legal_name: 'Ñandú & Cía. Limitada de Nombre Muy Largo y Sonoro',
  tipo_dte: 33,
  quantity: 10,
  resolucion_numero: 0,
  ambiente: 'certificacion',
  first_folio: 41,
  on: '2026-11-15',
}

let world: World
let sii: Sii
beforeAll(async () => {
  world = await openWorld()
  sii = sandboxSii({ sql: world.db.sql, steady: world.db.steady.sql, vault })
})
afterAll(() => world.close())

describe('the SII of the sandbox', () => {
  it('grants a CAF that the engine believes with its keys, and that the real SII did not sign', async () => {
    const answer = await sii.requestCaf(request)
    if (!answer.granted) throw new Error(answer.sentence)
    const read = readCaf(answer.file, await sii.authorityKeys())
    expect(read.ok && read.value).toMatchObject({
      emisor_rut: scope.rut,
      tipo_dte: 33,
      first_folio: 41,
      last_folio: 50,
      authorised_on: '2026-11-15',
      expires_on: '2027-05-15',
    })
    expect(readCaf(answer.file).ok).toBe(false)
    expect(await sii.authorityKeys()).toMatchObject(SII_KEYS)
  })

  it('signs with a certificate that carries a RUT, RSA of 1,024 bits, always the same', async () => {
    const signer = await sii.signerFor(scope)
    expect([signer.rut, signer.key.asymmetricKeyDetails?.modulusLength]).toEqual(['11111111-1', 1024])
    expect(await sii.signerFor({ ...scope, empresa_id: 'emp_y' })).toBe(signer)
    const certificate = /<X509Certificate>([^<]*)</.exec(signer.key_info)?.[1] ?? ''
    expect(readCertificate(Buffer.from(certificate, 'base64'))?.facts).toMatchObject({ rut: '11111111-1' })
  })

  it('vouches for its own signers, and for nobody who signs for himself', async () => {
    const authorities = await sii.certificateAuthorities()
    const issuerOf = (signer: Signer | undefined) =>
      findIssuer([/<X509Certificate>([^<]*)</.exec(signer?.key_info ?? '')?.[1] ?? ''], authorities).issuer
    const supplier = { rut: '77333300-9', legal_name: 'Proveedora de Prueba SpA' }
    const of = async (certificate: PlayedSupplier['certificate']) => {
      const signer = await sii.supplierSigner?.({ ...supplier, certificate })
      return [signer?.rut, issuerOf(signer)]
    }
    expect(issuerOf(await sii.signerFor(scope))).toBe('proven')
    expect(await of('of_emisor')).toEqual([supplier.rut, 'proven'])
    expect(await of('of_other_person')).toEqual(['11111111-1', 'proven'])
    expect(await of('self_signed')).toEqual([supplier.rut, 'self_signed'])
  })

  it('has one set of keys for every process of an installation, sealed, also when all start at once', async () => {
    const fresh = await openWorld()
    await fresh.db.sql`delete from sandbox_key` // which every world is born with
    const processes = Array.from({ length: 4 }, () =>
      sandboxSii({ sql: fresh.db.sql, steady: fresh.db.steady.sql, vault }),
    )
    const pem = (key: unknown) => createPublicKey(key as never).export({ type: 'spki', format: 'pem' })
    const keys = await Promise.all(
      processes.map(async (one) => (await one.authorityKeys())[900]?.export({ type: 'spki', format: 'pem' })),
    )
    const signers = await Promise.all(processes.map((one) => one.signerFor(scope)))
    expect(new Set(keys).size).toBe(1)
    expect(new Set(signers.map(({ key }) => pem(key))).size).toBe(1)
    expect(new Set(signers.map(({ key_info }) => key_info)).size).toBe(1)
    const rows = await fresh.db.sql<{
      name: string
      sealed: Buffer
    }>`select name, sealed from sandbox_key order by name`
    expect(rows.map(({ name }) => name)).toEqual(['authority', 'signer'])
    expect(() => vault.open('sandbox_key:signer', rows[0]?.sealed as Buffer)).toThrow()
    await fresh.close()
  })

  it('makes its keys beside the event loop, which goes on meanwhile', async () => {
    let went_on = false
    setImmediate(() => {
      went_on = true
    })
    await newRsaKey(512)
    expect(went_on).toBe(true)
  })
})
