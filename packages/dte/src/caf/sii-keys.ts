import { createPublicKey, type KeyObject } from 'node:crypto'

/** Keys that sign the FRMA of a CAF, by the IDK it names. */
export type SiiKeys = Readonly<Record<number, KeyObject>>

/**
 * Public keys of the SII, RSA of 512 bits with exponent 65537: 100 signs in certification and 300 in production. They
 * were published in 2003 inside certificates that lapsed in 2004; the SII has used the same keys since.
 */
const MODULI: Readonly<Record<number, string>> = {
  100: 'c8fbf00dcb21a55000a585522c5de528a73e0ce16cc03ab1e5ea7de4b2a28111e352faef8dcb7d51e349abd4b105dcd4f67cf9e13115058c9f0154291b8c7153',
  300: '9deebfc5eebd96df4c7cf53f1bfa15d85d73ef04c6718f8c07b3f785efee75e7b4ef5a3ae079c3265a900e45f602890af6fb4fafa2b8d6938f7f011c3585b335',
}

export const SII_KEYS: SiiKeys = Object.fromEntries(
  Object.entries(MODULI).map(([idk, hex]) => {
    const n = Buffer.from(hex, 'hex').toString('base64url')
    return [idk, createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' })]
  }),
)
