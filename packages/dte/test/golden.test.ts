import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildDocumento } from '../src/document/build.ts'
import { checkDraft, checkDte } from '../src/document/check.ts'
import type { Dte, DteDraft } from '../src/document/document.ts'
import { TIPO_NUMBERS, tipo } from '../src/document/tipos.ts'
import { completeDraft } from '../src/document/totals.ts'
import { readDte } from '../src/envelope/read.ts'
import { parseXmlText } from '../src/xml/parse.ts'
import { describeWithReference } from './support/shared.ts'
import { loadSchemas, PLACEHOLDER_TED, type Schema } from './support/xsd.ts'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden')
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -5))

/** `UPDATE_GOLDEN=1 npx vitest run --project dte golden` writes the XML files anew: read the diff before committing. */
const update = process.env.UPDATE_GOLDEN === '1'

function load(name: string): { draft: DteDraft; dte: Dte } {
  const { folio, ...draft } = parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'))
  return { draft, dte: completeDraft(draft, folio) }
}

function build(dte: Dte): string {
  const ted = PLACEHOLDER_TED.replaceAll('TIPO', String(dte.tipo_dte))
  return buildDocumento(dte, { ted, tmst_firma: '2026-10-05T12:00:00' })
}

/** One element a line, so that a diff points at what changed; the document itself has no space between elements. */
const spread = (documento: string) => `${documento.replaceAll('><', '>\n<')}\n`

describe('golden documents', () => {
  it('cover every tipo', () => {
    expect(TIPO_NUMBERS.filter((number) => !cases.some((name) => name.startsWith(`${number}-`)))).toEqual([])
  })

  for (const name of cases) {
    const file = path.join(folder, `${name}.xml`)

    it(`${name} passes every check`, () => {
      const { draft, dte } = load(name)
      expect(checkDraft(draft, { today: '2026-10-05', uf: 39_000 })).toEqual([])
      expect(checkDte(dte)).toEqual([])
    })

    it(`${name} is built as recorded`, () => {
      const built = spread(build(load(name).dte))
      if (update) writeFileSync(file, built)
      expect(built).toBe(readFileSync(file, 'utf8'))
    })

    it(`${name} is canonical as written`, () => {
      const documento = build(load(name).dte)
      const parsed = parseXmlText(documento)
      expect(parsed.ok && parsed.value.canonical).toBe(documento)
    })

    it(`${name} reads back as the value it was built from`, () => {
      const { dte } = load(name)
      const parsed = parseXmlText(build(dte))
      if (!parsed.ok) throw new Error(parsed.refusal.message)
      const read = readDte(parsed.value.root)
      expect(read).toMatchObject({ ok: true, value: { id: `F${dte.folio}T${dte.tipo_dte}`, warnings: [] } })
      if (read.ok) expect(build(read.value.dte)).toBe(build(dte))
      if (read.ok) expect(read.value.dte.totals).toEqual(dte.totals)
    })
  }
})

describeWithReference('golden documents against the official schema', () => {
  let schema: Schema
  beforeAll(() => {
    schema = loadSchemas()
  })
  afterAll(() => schema.dispose())

  for (const name of cases) {
    it(`${name} is valid`, () => {
      const { dte } = load(name)
      expect(schema.validate(build(dte), tipo(dte.tipo_dte).envelope)).toBeNull()
    })
  }

  it('a document with two elements swapped is not valid, so the schema was really asked', () => {
    const swapped = build(load('33-001-simple').dte).replace(
      /(<NmbItem>.*?<\/NmbItem>)(<QtyItem>.*?<\/QtyItem>)/,
      '$2$1',
    )
    expect(schema.validate(swapped, 'EnvioDTE')).toContain('NmbItem')
  })
})
