import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkAgreement, readEnvelope, timbreTextsApart, verifySignatures } from '../src/index.ts'
import { describeWithReference, readReference, referencePath } from './support/shared.ts'

describeWithReference('documents that others did issue', () => {
  const files = readdirSync(referencePath('samples', 'dte')).filter((name) => name.endsWith('.xml'))

  it.each(files)('%s: its stamp speaks of it, and its amounts follow from its lines', (name) => {
    const read = readEnvelope(readReference('samples', 'dte', name), { undeclared: 'ISO-8859-1' })
    if (!read.ok) throw new Error(read.refusal.message)
    const checked = verifySignatures(read.value.xml)
    if (!checked.ok) throw new Error(checked.refusal.message)
    const own = checked.value.filter(({ container }) => container.name === 'DTE')
    expect(own.length).toBeGreaterThan(0)
    for (const [index, { signed, certificates }] of own.entries()) {
      const document = read.value.documents[index]
      expect(document?.ok && checkAgreement(document.value.dte)).toEqual({ totals: [], lines: [] })
      expect([timbreTextsApart(signed), certificates.length]).toEqual([[], 1])
    }
  })
})
