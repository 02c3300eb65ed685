import type { Caf } from '@timbre/dte'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeCaf, makeIdentity, SIGNER_RUT } from '../../dte/test/support/keys.ts'
import { chooseSamples, planSet, readSet, type Sample, signStep } from '../src/index.ts'
import { INPUTS } from './support/inputs.ts'
import { BASICO, bytesOf, COMPRA, EXENTA, GUIAS } from './support/own-set.ts'

const { signer } = makeIdentity()
const cafs = new Map<number, Caf>()
function cafOf(tipo_dte: number): Caf {
  const caf = cafs.get(tipo_dte) ?? makeCaf({ tipo_dte })
  cafs.set(tipo_dte, caf)
  return caf
}

async function envelopes(sections: readonly (readonly string[])[]): Promise<Uint8Array[]> {
  const plan = planSet(readSet(bytesOf(...sections)), INPUTS)
  const signing = { signer, envia_rut: SIGNER_RUT, tmst_firma: '2026-10-05T12:00:00', cafOf }
  const files: Uint8Array[] = []
  for (const step of plan.steps) {
    const signed = await signStep(plan, step, signing)
    if (!signed.ok) throw new Error(signed.refusal.message)
    files.push(Buffer.from(signed.value, 'latin1'))
  }
  return files
}

const shown = ({ origin, case_id, dte, cedible }: Sample) =>
  `${origin} ${case_id} T${dte.tipo_dte} F${dte.folio}${cedible ? ' cedible' : ''}`

describe('the samples to print', () => {
  let set: Uint8Array[]
  let basico: Uint8Array[]
  /** The first factura of the set with one line instead of two. */
  let single: Uint8Array[]
  beforeAll(async () => {
    single = await envelopes([BASICO.slice(0, 8)])
    basico = await envelopes([BASICO])
    set = [...basico, ...(await envelopes([GUIAS])), ...(await envelopes([EXENTA])), ...(await envelopes([COMPRA]))]
  })

  it('are every document of the sets, with its copy to cede where it has one: of guías only where they are the sale', () => {
    expect(chooseSamples({ set, simulation: [] }).map(shown)).toEqual([
      'set 900001-1 T33 F101',
      'set 900001-1 T33 F101 cedible',
      'set 900001-2 T33 F102',
      'set 900001-2 T33 F102 cedible',
      'set 900001-3 T61 F801',
      'set 900001-4 T61 F802',
      'set 900001-5 T61 F803',
      'set 900001-6 T56 F701',
      'set 900002-1 T52 F601',
      'set 900002-2 T52 F602',
      'set 900002-2 T52 F602 cedible',
      'set 900002-3 T52 F603',
      'set 900002-3 T52 F603 cedible',
      'set 900003-1 T34 F201',
      'set 900003-1 T34 F201 cedible',
      'set 900003-2 T61 F801',
      'set 900004-1 T46 F501',
      'set 900004-1 T46 F501 cedible',
      'set 900004-2 T61 F801',
    ])
  })

  it('are one of each tipo of the simulation alone: that with the fewest lines, the first of several', () => {
    const simulated = chooseSamples({ set: [], simulation: basico })
    expect(simulated.map(({ dte, cedible }) => [dte.tipo_dte, dte.folio, cedible])).toEqual([
      [33, 101, false],
      [33, 101, true],
      [61, 801, false],
      [56, 701, false],
    ])
    expect(new Set(simulated.map(({ origin }) => origin))).toEqual(new Set(['simulacion']))
    const short = chooseSamples({ set: [], simulation: [...basico, ...single] })
    expect(short.map(shown).slice(0, 2)).toEqual([
      'simulacion 900001-1 T33 F101',
      'simulacion 900001-1 T33 F101 cedible',
    ])
    expect(short[0]?.dte.items).toHaveLength(1)
  })

  it('carry the signed bytes of their document and the resolución of its envelope, under a name of their own each', () => {
    const samples = chooseSamples({ set: basico, simulation: [] })
    const [envelope] = basico
    for (const { xml, dte, resolucion } of samples) {
      expect(Buffer.from(envelope as Uint8Array).includes(Buffer.from(xml))).toBe(true)
      expect(Buffer.from(xml).toString('latin1')).toContain(`<F>${dte.folio}</F>`)
      expect(resolucion).toEqual({ numero: 0, fecha: '2026-09-01' })
    }
    const names = samples.map(({ file_name }) => file_name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.slice(0, 2)).toEqual(['76543210-3-T33-F101.pdf', '76543210-3-T33-F101-cedible.pdf'])
  })

  it('of a file that is no envelope are not chosen at all', () => {
    expect(() => chooseSamples({ set: [Buffer.from('<LibroCompraVenta/>')], simulation: [] })).toThrow('does not read')
  })
})
