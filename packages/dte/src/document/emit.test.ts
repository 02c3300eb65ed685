import { describe, expect, it } from 'vitest'
import { asFile, cafOf, parsed } from '../../test/support/emitted.ts'
import { makeCaf, makeIdentity, TEST_SII_KEYS } from '../../test/support/keys.ts'
import { draft } from '../../test/support/samples.ts'
import { checkTimbre } from '../caf/check-timbre.ts'
import { firstRefusal, verifySignatures } from '../signature/verify.ts'
import { at } from '../xml/tree.ts'
import { emitDte, emitDteSync } from './emit.ts'
import { completeDraft } from './totals.ts'

const { signer } = makeIdentity()
const times = { tmst_ted: '2026-10-05T12:00:00', tmst_firma: '2026-10-05T12:00:00' }
const emission = (folio: number) => ({ dte: completeDraft(draft(33), folio), caf: cafOf(33), signer, ...times })

describe('emitting', () => {
  it('gives the same characters on the thread pool and on the calling thread', async () => {
    const folios = Array.from({ length: 20 }, (_, index) => index + 1)
    const pooled = await Promise.all(folios.map((folio) => emitDte(emission(folio))))
    expect(pooled).toEqual(folios.map((folio) => emitDteSync(emission(folio))))
  })

  it('is refused with a CAF of another range or one that lapsed, before anything is signed', async () => {
    const outcome = await emitDte(emission(1001))
    expect(!outcome.ok && outcome.refusal.rule).toBe('folio_out_of_range')
    const late = emitDteSync({ ...emission(1), tmst_firma: '2027-04-02T00:00:00' })
    expect(!late.ok && late.refusal.rule).toBe('expired')
  })

  it('carries a CAF as the SII wrote it even where that is not canonical, and the digest holds', () => {
    const caf = makeCaf({ tipo_dte: 33, emisor_name_xml: 'O&apos;Higgins &amp; Cía' })
    expect(caf.xml).not.toBe(caf.canonical)
    expect(caf.emisor_name).toBe("O'Higgins & Cía")
    const emitted = emitDteSync({ ...emission(1), caf })
    if (!emitted.ok) throw new Error(emitted.refusal.message)
    expect(emitted.value.xml).toContain(caf.xml)
    const document = parsed(asFile(emitted.value.xml))
    expect(firstRefusal(verifySignatures(document))).toBeNull()
    const documento = at(document.root, 'Documento')
    expect(documento && checkTimbre(document, documento, TEST_SII_KEYS)).toBeNull()
  })
})
