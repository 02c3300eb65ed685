import { parseXml, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schemaFault } from '../../../../../dte/test/support/envelope-xsd.ts'
import { describeWithReference } from '../../../../../dte/test/support/shared.ts'
import { EIGHT } from '../../../../test/support/bodies-by-tipo.ts'
import { settled } from '../../../../test/support/document-emission.ts'
import { openIssuer } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Submission } from '../../../ports/sii.ts'

const SCHEMAS = { EnvioDTE: 'EnvioDTE_v10.xsd', EnvioBOLETA: 'EnvioBOLETA_v11.xsd' }

describeWithReference('the envelopes that go to the SII', () => {
  const sent: Submission[] = []
  let world: World
  beforeAll(async () => {
    world = await openWorld({
      test_sii: (sandbox) => ({
        ...sandbox,
        submit(submission) {
          sent.push(submission)
          return sandbox.submit(submission)
        },
      }),
    })
    const issuer = await openIssuer(world)
    // Two of each, so that an envelope holds more than one document.
    const bodies = [...EIGHT, ...EIGHT].map(([tipo_dte, body]) => ({ tipo_dte, ...body }))
    const made = await Promise.all(bodies.map((body) => issuer.create(body)))
    for (const { body } of made) await settled(issuer, body.id, ['accepted'])
  })
  afterAll(() => world.close())

  it.each(EIGHT)('tipo %i travels in an envelope of its kind that the official schema takes', (tipo_dte) => {
    const mine = sent.filter(({ documents }) => documents.every((document) => document.tipo_dte === tipo_dte))
    expect(mine.flatMap(({ documents }) => documents.map(({ folio }) => folio))).toEqual([1, 2])
    for (const { envelope, kind } of mine) {
      expect(schemaFault(Buffer.from(envelope).toString('latin1'), SCHEMAS[kind])).toBeNull()
    }
  })

  it('hold each document as it is kept, character for character', async () => {
    for (const { envelope, documents } of sent) {
      const file = Buffer.from(envelope).toString('latin1')
      for (const { id } of documents) {
        const xml = await storedXml(world, id)
        const [declaration, element] = xml?.toString('latin1').split('?>\n') ?? []
        expect(declaration).toContain('encoding="ISO-8859-1"')
        expect(element).toMatch(/^<DTE .*<\/DTE>$/s)
        expect(file).toContain(element)
      }
    }
  })

  it('carry signatures that verify: one of the envelope and one of each document', () => {
    for (const { envelope, documents } of sent) {
      const parsed = parseXml(envelope)
      if (!parsed.ok) throw new Error(parsed.refusal.message)
      const checked = verifySignatures(parsed.value)
      expect(checked.ok && checked.value.map(({ refusal }) => refusal)).toEqual(Array(documents.length + 1).fill(null))
    }
  })
})
