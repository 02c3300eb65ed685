import { type Alerts, readAlerts } from './alerts.ts'
import { type Checkbox, checkboxesOf } from './checkboxes.ts'
import { fold } from './fold.ts'
import { type OpenTag, readTokens, squeeze, type Token } from './markup.ts'

export interface Option {
  readonly value: string
  readonly label: string
}

export interface Form {
  readonly name: string | null
  /** As the page writes it: a path, a whole address, or null. */
  readonly action: string | null
  /** What a browser would send, in the order of the page, without its buttons. Text areas are as they stand. */
  readonly fields: ReadonlyMap<string, string>
  readonly buttons: ReadonlyMap<string, string>
  readonly selects: ReadonlyMap<string, readonly Option[]>
  /** Every value a radio button offers, also those that are not checked. */
  readonly radios: ReadonlyMap<string, readonly string[]>
}

export interface Page {
  readonly title: string
  readonly forms: readonly Form[]
  /** Every box that can be ticked, in the order of the page. */
  readonly checkboxes: readonly Checkbox[]
  readonly alerts: Alerts
  /** Those that the page runs by itself: its scripts, and what it does when it is loaded. */
  readonly scripts: readonly string[]
  /** Rows of its tables: the text of each cell. */
  readonly rows: readonly (readonly string[])[]
  /** The links of each row, in the same order. */
  readonly row_links: readonly (readonly string[])[]
  /** Names of what can be written into in each row, in the same order. */
  readonly row_inputs: readonly (readonly string[])[]
  /** The text a person sees, in pieces that tags divide, none empty. */
  readonly pieces: readonly string[]
  readonly text: string
  /** The same without accents and in lower case. */
  readonly folded: string
}

/** Reads a page. It never fails: what is missing is missing, and whoever needs it says so. */
export function readPage(html: string): Page {
  const tokens = readTokens(html)
  const handlers = tokens.flatMap((token) => (token.kind === 'open' ? (token.attributes.get('onload') ?? []) : []))
  const scripts = [...rawTextOf(tokens, 'script'), ...handlers]
  const pieces = piecesOf(tokens)
  const text = pieces.join(' ')
  return {
    title: titleOf(tokens),
    forms: formsOf(tokens),
    checkboxes: checkboxesOf(tokens),
    alerts: readAlerts(scripts),
    scripts,
    ...rowsOf(tokens),
    pieces,
    text,
    folded: fold(text),
  }
}

/** The first form whose action names a program of the portal (`of_genera_folio`). */
export function formTo(page: Page, program: string): Form | null {
  return page.forms.find(({ action }) => leads(action, program)) ?? null
}

export function formsTo(page: Page, program: string): readonly Form[] {
  return page.forms.filter(({ action }) => leads(action, program))
}

export function formNamed(page: Page, name: string): Form | null {
  return page.forms.find((form) => form.name?.toLowerCase() === name.toLowerCase()) ?? null
}

/** `of_confirma_folio` is not led to by `of_confirma_folio_x`. */
function leads(action: string | null, program: string): boolean {
  const path = (action ?? '').split(/[?#;]/)[0] ?? ''
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase() === program.toLowerCase()
}

function rawTextOf(tokens: readonly Token[], name: string): string[] {
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1]
    return token.kind === 'text' && token.raw && before?.kind === 'open' && before.name === name ? [token.text] : []
  })
}

function titleOf(tokens: readonly Token[]): string {
  const at = tokens.findIndex((token) => token.kind === 'open' && token.name === 'title')
  const next = at === -1 ? undefined : tokens[at + 1]
  return next?.kind === 'text' ? squeeze(next.text) : ''
}

/** Tags that stand within a sentence do not divide it. */
const INLINE = new Set(['b', 'strong', 'i', 'em', 'u', 'font', 'span', 'a', 'sup', 'sub', 'small', 'big'])

function piecesOf(tokens: readonly Token[]): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const token of tokens) {
    if (token.kind === 'text') piece += token.raw ? '' : token.text
    else if (!INLINE.has(token.name)) {
      pieces.push(squeeze(piece))
      piece = ''
    }
  }
  return [...pieces, squeeze(piece)].filter((text) => text !== '')
}

function rowsOf(tokens: readonly Token[]): Pick<Page, 'rows' | 'row_links' | 'row_inputs'> {
  const rows: { cells: string[]; links: string[]; inputs: string[] }[] = []
  let cell: string | null = null
  const endCell = () => {
    if (cell !== null) rows.at(-1)?.cells.push(squeeze(cell))
    cell = null
  }
  for (const token of tokens) {
    if (token.kind === 'text') {
      if (cell !== null && !token.raw) cell += token.text
    } else if (token.name === 'tr') {
      endCell()
      if (token.kind === 'open') rows.push({ cells: [], links: [], inputs: [] })
    } else if (token.name === 'td' || token.name === 'th') {
      endCell()
      if (token.kind === 'open') cell = ''
    } else if (token.name === 'table') endCell()
    else if (token.name === 'br' && cell !== null) cell += ' '
    else if (token.kind === 'open' && token.name === 'a') rows.at(-1)?.links.push(token.attributes.get('href') ?? '')
    else if (token.kind === 'open' && isWritable(token)) rows.at(-1)?.inputs.push(token.attributes.get('name') ?? '')
  }
  endCell()
  const filled = rows.filter(({ cells }) => cells.length > 0)
  return {
    rows: filled.map(({ cells }) => cells),
    row_links: filled.map(({ links }) => links),
    row_inputs: filled.map(({ inputs }) => inputs),
  }
}

function isWritable({ name, attributes }: OpenTag): boolean {
  return name === 'input' && attributes.has('name') && /^(text|date|number|)$/i.test(attributes.get('type') ?? '')
}

interface OpenForm {
  name: string | null
  action: string | null
  fields: Map<string, string>
  buttons: Map<string, string>
  selects: Map<string, Option[]>
  radios: Map<string, string[]>
}

function formsOf(tokens: readonly Token[]): Form[] {
  const forms: OpenForm[] = []
  let form: OpenForm | null = null
  let select: string | null = null
  let option: { value: string | null; selected: boolean; label: string } | null = null
  const endOption = () => {
    if (form !== null && select !== null && option !== null) addOption(form, select, option)
    option = null
  }
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'text') {
      if (option !== null) option.label += token.text
      continue
    }
    if (token.name === 'form') {
      endOption()
      select = null
      form = token.kind === 'open' ? openForm(token.attributes) : null
      if (form !== null) forms.push(form)
    }
    if (form === null) continue
    if (token.name === 'option' || token.name === 'select') endOption()
    if (token.kind === 'close') {
      if (token.name === 'select') select = null
      continue
    }
    const { attributes } = token
    if (token.name === 'input') addInput(form, attributes)
    else if (token.name === 'select') {
      select = attributes.get('name') ?? ''
      form.selects.set(select, [])
    } else if (token.name === 'option') {
      option = { value: attributes.get('value') ?? null, selected: attributes.has('selected'), label: '' }
    } else if (token.name === 'textarea') {
      const content = tokens[index + 1]
      form.fields.set(attributes.get('name') ?? '', content?.kind === 'text' ? content.text : '')
    }
  }
  endOption()
  return forms
}

function openForm(attributes: ReadonlyMap<string, string>): OpenForm {
  return {
    name: attributes.get('name') ?? attributes.get('id') ?? null,
    action: attributes.get('action') ?? null,
    fields: new Map(),
    buttons: new Map(),
    selects: new Map(),
    radios: new Map(),
  }
}

function addInput(form: OpenForm, attributes: ReadonlyMap<string, string>): void {
  const name = attributes.get('name')
  if (name === undefined || name === '') return
  const value = attributes.get('value') ?? ''
  const type = (attributes.get('type') ?? 'text').toLowerCase()
  if (type === 'submit' || type === 'button' || type === 'image' || type === 'reset') form.buttons.set(name, value)
  else if (type === 'radio' || type === 'checkbox') {
    if (type === 'radio') {
      const values = form.radios.get(name) ?? []
      values.push(value)
      form.radios.set(name, values)
    }
    if (attributes.has('checked')) form.fields.set(name, value === '' ? 'on' : value)
  } else form.fields.set(name, value)
}

function addOption(
  form: OpenForm,
  select: string,
  { value, selected, label }: { value: string | null; selected: boolean; label: string },
): void {
  const options = form.selects.get(select)
  if (options === undefined) return
  const option = { value: value ?? squeeze(label), label: squeeze(label) }
  if (selected || options.length === 0) form.fields.set(select, option.value)
  options.push(option)
}
