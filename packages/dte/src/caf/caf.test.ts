import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cafFile, makeCaf, TEST_SII_KEYS } from '../../test/support/keys.ts'
import { EMISOR } from '../../test/support/samples.ts'
import { describeWithReference, readReference } from '../../test/support/shared.ts'
import { checkCafUse, readCaf } from './caf.ts'
import { issueCaf } from './issue.ts'

const ruleOf = (bytes: Uint8Array) => {
  const outcome = readCaf(bytes, TEST_SII_KEYS)
  return outcome.ok ? null : outcome.refusal.rule
}
const edited = (from: string | RegExp, to: string) =>
  Buffer.from(cafFile({ tipo_dte: 33 }).toString('latin1').replace(from, to), 'latin1')

describe('a CAF', () => {
  it('is read with its owner, range, key and the day it lapses', () => {
    const caf = makeCaf({ tipo_dte: 33, first: 11, last: 20, authorised_on: '2026-08-31' })
    expect(caf).toMatchObject({
      emisor_rut: EMISOR.rut,
      emisor_name: EMISOR.legal_name,
      tipo_dte: 33,
      first_folio: 11,
      last_folio: 20,
    })
    expect([caf.expires_on, caf.key_id, caf.key.asymmetricKeyType]).toEqual(['2027-02-28', 100, 'rsa'])
    expect(caf.xml).toMatch(/^<CAF version="1.0"><DA><RE>.*<\/CAF>$/)
  })

  it('can be issued by a stand-in of the SII and read with its key, not with that of the SII', () => {
    const [folio_key, authority] = [512, 1024].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }))
    if (folio_key === undefined || authority === undefined) throw new Error('no keys')
    const order = {
      emisor_rut: EMISOR.rut,
      emisor_name: 'Ñandú & Cía',
      tipo_dte: 39 as const,
      first_folio: 1,
      last_folio: 9,
    }
    const file = issueCaf(
      { ...order, authorised_on: '2026-10-01', key_id: 900 },
      folio_key.privateKey,
      authority.privateKey,
    )
    const read = readCaf(file, { 900: authority.publicKey })
    expect(read.ok && read.value).toMatchObject({ ...order, key_id: 900, expires_on: null })
    expect(readCaf(file).ok).toBe(false)
  })

  it('lapses after six months for the tipos that give credit and never for the others', () => {
    const lapses = [33, 34, 39, 41, 46, 52, 56, 61].filter((tipo_dte) => makeCaf({ tipo_dte }).expires_on !== null)
    expect(lapses).toEqual([33, 46, 56, 61])
  })

  it('is refused when the SII did not sign it or anything in it changed', () => {
    expect(ruleOf(edited('<H>1000</H>', '<H>9999</H>'))).toBe('bad_sii_signature')
    expect(ruleOf(edited(/(<FRMA[^>]*>)..../, '$1AAAA'))).toBe('bad_sii_signature')
    expect(ruleOf(edited('<IDK>100<', '<IDK>200<'))).toBe('unknown_sii_key')
    expect(readCaf(cafFile({ tipo_dte: 33 })).ok).toBe(false)
  })

  it('is refused when a true text in a comment stands for a false one', () => {
    const file = cafFile({ tipo_dte: 33 }).toString('latin1')
    const real = /<CAF[\s\S]*<\/CAF>/.exec(file)?.[0] ?? ''
    const forged = real
      .replace('<H>1000</H>', '<H>9999</H>')
      .replace('<DA>', '<DA >')
      .replace('</DA>', '</DA >')
      .replace('</CAF>', '</CAF >')
    expect(ruleOf(Buffer.from(file.replace(real, `<!--${real}-->${forged}`), 'latin1'))).toBe('bad_sii_signature')
  })

  it('is refused without its private key or with that of another CAF', () => {
    const other = /<RSASK>[\s\S]*<\/RSASK>/.exec(cafFile({ tipo_dte: 33 }).toString())?.[0] ?? ''
    expect(ruleOf(edited(/<RSASK>[\s\S]*<\/RSASK>/, other))).toBe('key_mismatch')
    expect(ruleOf(edited(/<RSASK>[\s\S]*<\/RSASK>/, '<RSASK>REDACTED</RSASK>'))).toBe('bad_private_key')
    expect(ruleOf(edited(/<RSASK>[\s\S]*<\/RSASK>/, ''))).toBe('bad_private_key')
  })

  it('is refused field by field, each with its path', () => {
    expect(ruleOf(cafFile({ tipo_dte: 99 }))).toBe('unknown_tipo')
    expect(ruleOf(cafFile({ tipo_dte: 33, first: 5, last: 4 }))).toBe('bad_range')
    expect(ruleOf(cafFile({ tipo_dte: 33, emisor_rut: '76543210-4' }))).toBe('bad_field')
    expect(ruleOf(cafFile({ tipo_dte: 33, authorised_on: '2026-02-30' }))).toBe('bad_field')
    expect(ruleOf(Buffer.from('<a/>'))).toBe('not_a_caf')
    const outcome = readCaf(edited('<RE>', '<XX>').subarray(0, -30), TEST_SII_KEYS)
    expect(outcome.ok).toBe(false)
  })

  it('stamps only documents of its owner, tipo and range, and not after it lapsed', () => {
    const caf = makeCaf({ tipo_dte: 33, first: 1, last: 50, authorised_on: '2026-10-01' })
    const use = { emisor_rut: EMISOR.rut, tipo_dte: 33, folio: 50, on: '2027-04-01' }
    expect(checkCafUse(caf, use)).toBeNull()
    expect(checkCafUse(caf, { ...use, emisor_rut: '77123456-9' })?.rule).toBe('other_emisor')
    expect(checkCafUse(caf, { ...use, tipo_dte: 34 })?.rule).toBe('other_tipo')
    expect(checkCafUse(caf, { ...use, folio: 51 })?.rule).toBe('folio_out_of_range')
    expect(checkCafUse(caf, { ...use, on: '2027-04-02' })?.rule).toBe('expired')
  })

  it('never throws on a damaged file (1,000 cases)', () => {
    const file = cafFile({ tipo_dte: 33 })
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(damage, (edits) => {
        const copy = Buffer.from(file)
        for (const [index, byte] of edits) copy[index] = byte
        readCaf(copy, TEST_SII_KEYS)
      }),
      { numRuns: 1000 },
    )
  })
})

describeWithReference('CAFs of the SII', () => {
  it('of the certification are signed with key 100: only their removed private key is refused', () => {
    for (const tipo of [33, 39]) {
      const outcome = readCaf(readReference('samples', 'caf', `caf-certificacion-real-${tipo}-public-part.xml`))
      expect(!outcome.ok && outcome.refusal.rule).toBe('bad_private_key')
    }
  })

  it('with a signature made up by somebody are refused', () => {
    const outcome = readCaf(readReference('samples', 'caf', 'niclabs-Autorizacion-33-ejemplo.xml'))
    expect(!outcome.ok && outcome.refusal.rule).toBe('bad_sii_signature')
  })
})
