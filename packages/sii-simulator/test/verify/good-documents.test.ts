import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TIPO_NUMBERS, type TipoDte } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import type { KnownDocument } from '../../src/verify/verdict.ts'
import { dte, EMISOR, envelope, ORIGINAL, verifier, view } from './kit.ts'

describe('a document in which nothing is wrong', () => {
  for (const tipo of TIPO_NUMBERS)
    it(`is accepted: tipo ${tipo}`, () => {
      const boleta = tipo === 39 || tipo === 41
      const file = envelope([dte({ tipo })], { root: boleta ? 'EnvioBOLETA' : 'EnvioDTE' })
      const verdict = verifier.verify(file, view({ channel: boleta ? 'boleta' : 'dte' }, ORIGINAL))
      expect(verdict.findings).toEqual([])
      expect(verdict.documents).toMatchObject([{ tipo, folio: 10, emisor: EMISOR, outcome: 'accepted', findings: [] }])
    })
})

/** Documents that the engine has recorded, of every shape it writes: net and gross, taxes, withholdings, notes. */
describe('a recorded document of the engine, stamped and signed', () => {
  const folder = fileURLToPath(new URL('../../../dte/test/golden/', import.meta.url))
  const names = readdirSync(folder).filter((name) => name.endsWith('.xml'))

  for (const name of names)
    it(`is accepted: ${name.slice(0, -4)}`, () => {
      const tipo = Number(name.slice(0, 2)) as TipoDte
      const recorded = readFileSync(folder + name, 'utf8')
        .trim()
        .replace(/>\n</g, '><')
      const document = recorded.replace(/<TED.*<\/TED>/, '<TED/>')
      const field = (tag: string) => new RegExp(`<${tag}>([^<]*)<`).exec(document)?.[1] ?? ''
      // Whatever a note is about, the SII has it, as the note says.
      const known = (_: string, of_tipo: number, folio: number): KnownDocument | null => {
        const told = new RegExp(`<TpoDocRef>${of_tipo}</TpoDocRef><FolioRef>${folio}</FolioRef><FchRef>([^<]*)<`)
        const fecha = told.exec(document)?.[1]
        const monto = field('CodRef') === '1' ? Number(field('MntTotal')) : 1_000_000_000
        return fecha === undefined ? null : { receptor: field('RUTRecep'), fecha, monto, signature_value: '' }
      }
      const boleta = tipo === 39 || tipo === 41
      const file = envelope([dte({ tipo, document: () => document })], { root: boleta ? 'EnvioBOLETA' : 'EnvioDTE' })
      const verdict = verifier.verify(file, view({ channel: boleta ? 'boleta' : 'dte', document: known }))
      expect(verdict.findings).toEqual([])
      expect(verdict.documents).toMatchObject([{ tipo, outcome: 'accepted', findings: [] }])
    })
})
