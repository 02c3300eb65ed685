import { createHash, createPublicKey, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cafOf } from '../../test/support/emitted.ts'
import { makeIdentity } from '../../test/support/keys.ts'
import { signedSha1, signSha1 } from './rsa-sha1.ts'

const text = '<DD><RSR>Ñuñoa & Cía</RSR></DD>'
const keys = [
  ['the short one of a CAF', cafOf(33).key],
  ['that of a certificate', makeIdentity().signer.key],
] as const

describe('a signature in two steps', () => {
  it.each(keys)('is the one that OpenSSL makes in one, with a key like %s', (_like, key) => {
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.alloc(0), Buffer.alloc(5000, 'x')]) {
      expect(signSha1(bytes, key)).toBe(sign('RSA-SHA1', bytes, key).toString('base64'))
    }
  })

  it.each(keys)('covers a text in UTF-8, which is what canonical forms are, with a key like %s', (_like, key) => {
    const digest = signedSha1(createPublicKey(key), Buffer.from(signSha1(text, key), 'base64'))
    expect(digest).toEqual(createHash('sha1').update(text, 'utf8').digest())
  })
})
