import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildDocumento } from '../src/document/build.ts'
import type { Dte } from '../src/document/document.ts'
import { BOLETA, DTE, type Field, type Group, isGroup, putAt, valueAt } from '../src/document/fields/shape.ts'
import { DOCUMENTO } from '../src/document/fields/table.ts'
import type { TipoDte } from '../src/document/tipos.ts'
import { completeDraft } from '../src/document/totals.ts'
import { describeWithReference } from './support/shared.ts'
import { loadSchemas, PLACEHOLDER_TED, type Schema } from './support/xsd.ts'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden')

function golden(...names: readonly string[]): Dte {
  const drafts = names.map((name) => parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8')))
  return completeDraft(Object.assign({}, ...drafts, { tipo_dte: drafts[0].tipo_dte }), 1)
}

interface Place {
  readonly field: Field
  readonly at: readonly string[]
}

/** Every text of a tipo with its path, lists entered at their first member. */
function texts(group: Group, tipo_dte: TipoDte, at: readonly string[] = []): Place[] {
  return group.rows.flatMap((row) => {
    if (row.xml === '' || !row.tipos.includes(tipo_dte)) return []
    if (!isGroup(row)) return limitOf(row) > 0 ? [{ field: row, at: [...at, ...row.at] }] : []
    const list = row.view === undefined ? row.at : ['discounts']
    return texts(row, tipo_dte, [...at, ...list, ...(row.max > 0 ? ['0'] : [])])
  })
}

/** How many characters a text takes; zero for what is no free text, since no code or date is a lone x. */
function limitOf({ kind, computed }: Field): number {
  if (computed || kind.check('x') !== null) return 0
  let length = 1
  while (length < 2000 && kind.check('x'.repeat(length + 1)) === null) length++
  return length
}

function withText(dte: Dte, at: readonly string[], text: string, repeated: boolean): Dte {
  const copy = structuredClone(dte) as unknown as Record<string, unknown>
  putAt(copy, at, repeated ? [text] : text)
  return copy as unknown as Dte
}

const build = (dte: Dte) =>
  buildDocumento(dte, {
    ted: PLACEHOLDER_TED.replaceAll('TIPO', String(dte.tipo_dte)),
    tmst_firma: '2026-10-05T12:00:00',
  })

describe('the golden documents', () => {
  const xml = (family: readonly TipoDte[]) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.xml') && family.some((number) => name.startsWith(`${number}-`)))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('')
  const names = (group: Group, family: readonly number[]): string[] =>
    group.rows
      .filter((row) => row.xml !== '' && row.tipos.some((number) => family.includes(number)))
      .flatMap((row) => (isGroup(row) ? [row.xml, ...names(row, family)] : [row.xml]))

  it.each([
    ['DTE', DTE],
    ['boleta', BOLETA],
  ] as const)('show every element that a %s may have', (_name, family) => {
    const written = xml(family)
    expect(names(DOCUMENTO, family).filter((name) => !written.includes(`<${name}>`))).toEqual([])
  })
})

describeWithReference('the longest text each field takes', () => {
  let schema: Schema
  beforeAll(() => {
    schema = loadSchemas()
  })
  afterAll(() => schema.dispose())

  const full = [
    golden(
      '33-009-goods-on-the-way',
      '33-010-references',
      '33-003-discounts-and-surcharges',
      '33-002-every-header-field',
    ),
    golden('39-007-certification-reference', '39-005-discounts', '39-002-named-and-paid'),
  ]
  for (const dte of full) {
    for (const { field, at } of texts(DOCUMENTO, dte.tipo_dte)) {
      it(`${at.join('.')} of a tipo ${dte.tipo_dte} is valid in the official schema, and one more is not`, () => {
        const limit = limitOf(field)
        const kind = dte.tipo_dte === 33 ? 'EnvioDTE' : 'EnvioBOLETA'
        const sized = (length: number) => build(withText(dte, at, 'ñ'.repeat(length), field.max > 1))
        expect(valueAt(withText(dte, at, 'x', false), at)).toBe('x')
        expect(schema.validate(sized(limit), kind)).toBeNull()
        expect(schema.validate(sized(limit + 1), kind)).not.toBeNull()
      })
    }
  }
})
