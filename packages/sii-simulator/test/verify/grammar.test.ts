import { expect, it } from 'vitest'
import { checkGrammar } from '../../src/verify/grammar/check.ts'
import { grammarOf } from '../../src/verify/grammar/grammars.ts'
import { parseXml } from '../../src/verify/xml/parse.ts'
import { mutate, seeded } from './mutants.ts'
import { describeWithReference, official, type Sample, subjects } from './official.ts'

/** As many again for each seed: `SEED=7 MUTANTS=5000` looks further than a run of everything has time for. */
const SEED = Number(process.env.SEED ?? 1)
const MUTANTS = Number(process.env.MUTANTS ?? 320)

const faultsOf = (xml: string, { root }: Sample) =>
  checkGrammar(parseXml(Buffer.from(xml, 'latin1')).root, grammarOf(root))

describeWithReference('our grammar beside the official schema', () => {
  const files = subjects()

  it('takes the samples, and every element that it knows is known to the other', () => {
    for (const file of files)
      expect([file.name, faultsOf(file.xml, file), official(file.schema, file.xml)]).toEqual([file.name, [], null])
  })

  it(`says the same of ${MUTANTS} mutants of them`, () => {
    const random = seeded(SEED)
    const apart: string[] = []
    let valid = 0
    for (let made = 0; made < MUTANTS; made++) {
      const file = files[made % files.length] as Sample
      const { xml, how } = mutate(file.xml, random)
      const [ours] = faultsOf(xml, file)
      const theirs = official(file.schema, xml)
      if (theirs === null) valid++
      // libxml2 skips what is no base64 inside base64; XML Schema has no such leniency, nor have we.
      const lenient =
        theirs === null && /is not a valid base64Binary/.test(ours ?? '') && /="? ?.*[^A-Za-z0-9+/= ]/.test(how)
      if ((ours === undefined) !== (theirs === null) && !lenient)
        apart.push(`${file.name}, ${how}: ${ours} / ${theirs}`)
    }
    expect(apart).toEqual([])
    // Neither all good nor all bad: the comparison would be idle.
    expect(valid).toBeGreaterThan(MUTANTS / 10)
    expect(valid).toBeLessThan(MUTANTS / 2)
  })
})
