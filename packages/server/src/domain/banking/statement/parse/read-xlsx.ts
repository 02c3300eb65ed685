import { STATEMENTS } from '../../../../catalog/limits.ts'
import { refusedFile } from './refusal.ts'
import type { Sheet, SheetRow } from './sheet.ts'
import { RowReader } from './xlsx-rows.ts'
import { openParts, type Parts } from './xlsx-zip.ts'
import { attributeOf, unescaped } from './xml-tags.ts'

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'
const STRINGS = 'xl/sharedStrings.xml'

interface Tab {
  readonly name: string
  readonly relation: string
}

interface Workbook {
  readonly tabs: readonly Tab[]
  readonly epoch1904: boolean
}

async function readWorkbook(parts: Parts): Promise<Workbook> {
  const tabs: Tab[] = []
  let epoch1904 = false
  for await (const tags of parts.tags(WORKBOOK)) {
    for (const tag of tags) {
      if (tag.name === 'workbookPr') epoch1904 = /^(1|true)$/.test(attributeOf(tag, 'date1904') ?? '')
      if (tag.name !== 'sheet' || tag.closes || attributeOf(tag, 'state')?.includes('idden')) continue
      tabs.push({ name: attributeOf(tag, 'name') ?? '', relation: attributeOf(tag, 'id') ?? '' })
    }
  }
  return { tabs: tabs.slice(0, STATEMENTS.sheets), epoch1904 }
}

async function readRelations(parts: Parts): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  for await (const tags of parts.tags(RELATIONS)) {
    for (const tag of tags) {
      const target = tag.name === 'Relationship' ? attributeOf(tag, 'Target') : null
      const path = target?.startsWith('/') ? target.slice(1) : `xl/${target}`
      if (target !== null) targets.set(attributeOf(tag, 'Id') ?? '', path)
    }
  }
  return targets
}

/** Shared strings, which cells name by their number. Phonetic runs, which Japanese files carry, are no part of them. */
async function readStrings(parts: Parts): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let chars = 0
  let phonetic = false
  if (!parts.has(STRINGS)) return strings
  for await (const tags of parts.tags(STRINGS)) {
    for (const tag of tags) {
      if (tag.name === 'rPh') phonetic = !tag.closes && !tag.empty
      if (tag.name === 't' && tag.closes && !phonetic) text += unescaped(tag.before)
      if (tag.name !== 'si' || !(tag.closes || tag.empty)) continue
      strings.push(text)
      chars += text.length
      text = ''
      if (chars > STATEMENTS.strings_chars) throw refusedFile('the spreadsheet holds more text than a cartola does')
    }
  }
  return strings
}

async function* rowsOf(parts: Parts, path: string, strings: readonly string[]): AsyncGenerator<SheetRow[]> {
  const reader = new RowReader(strings)
  for await (const tags of parts.tags(path)) yield [...reader.read(tags)]
}

/** The visible tabs of a spreadsheet, in their order. */
export async function openXlsx(bytes: Buffer): Promise<Sheet[]> {
  const parts = await openParts(bytes)
  if (!parts.has(WORKBOOK) || !parts.has(RELATIONS)) throw refusedFile('it is a zip, and not a spreadsheet (.xlsx)')
  const { tabs, epoch1904 } = await readWorkbook(parts)
  const targets = await readRelations(parts)
  const strings = await readStrings(parts)
  return tabs.flatMap(({ name, relation }) => {
    const path = targets.get(relation)
    if (path === undefined || !parts.has(path)) return []
    const plain = { format: 'xlsx', encoding: null, separator: null, epoch1904 } as const
    return [{ ...plain, name, rows: () => rowsOf(parts, path, strings) }]
  })
}
