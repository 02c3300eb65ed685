import type { Answer } from '../kernel/answer.ts'

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g
// Navigation and ornaments: they say nothing to a program.
const LEFT_OUT =
  /<nav[\s\S]*?<\/nav>|<svg[\s\S]*?<\/svg>|<div class="stamp"[\s\S]*?<\/div>|<fieldset[\s\S]*?<\/fieldset>|<span class="tabs"[\s\S]*?<\/span>|<button[\s\S]*?<\/button>|<p class="crumbs"[\s\S]*?<\/p>/g

const plain = (text: string) => text.replace(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** The Markdown before and after each tag; tags not named leave no trace. */
const MARKS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  h1: ['\n\n# ', '\n\n'],
  h2: ['\n\n## ', '\n\n'],
  h3: ['\n\n### ', '\n\n'],
  h4: ['\n\n#### ', '\n\n'],
  p: ['\n\n', '\n\n'],
  ul: ['\n\n', '\n\n'],
  ol: ['\n\n', '\n\n'],
  li: ['\n- ', ''],
  dl: ['\n\n', '\n\n'],
  dt: ['\n- ', ': '],
  dd: ['', ''],
  summary: ['\n\n', '\n\n'],
  table: ['\n\n', '\n\n'],
  strong: ['**', '**'],
  figure: ['\n\n', '\n\n'],
  figcaption: ['\n\n', '\n\n'],
  section: ['\n\n', '\n\n'],
  div: ['\n\n', '\n\n'],
  br: [' ', ''],
}

/** Writes Markdown as the tags of a page go by. Cells of a table are gathered and written a row at a time. */
class Writer {
  readonly #buffers: string[] = ['']
  #cells: string[] = []
  #href = ''
  #raw = false

  get text(): string {
    return (this.#buffers[0] ?? '')
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #add(text: string): void {
    this.#buffers.push((this.#buffers.pop() ?? '') + text)
  }

  words(text: string): void {
    this.#add(this.#raw ? plain(text) : plain(text).replace(/\s+/g, ' '))
  }

  open(tag: string, attributes: string): void {
    if (tag === 'td' || tag === 'th') this.#buffers.push('')
    else if (tag === 'pre') this.#fence(`\n\n\`\`\`${/class="(\w+)"/.exec(attributes)?.[1] ?? ''}\n`, true)
    else if (tag === 'code' && !this.#raw) this.#add('`')
    else if (tag === 'a') {
      this.#href = plain(/href="([^"]*)"/.exec(attributes)?.[1] ?? '')
      // A heading's link to itself says nothing without the page.
      if (!this.#href.startsWith('#')) this.#add('[')
    } else this.#add(MARKS[tag]?.[0] ?? '')
  }

  close(tag: string): void {
    if (tag === 'td' || tag === 'th') this.#cells.push(cell(this.#buffers.pop() ?? ''))
    else if (tag === 'tr') this.#row()
    else if (tag === 'thead') this.#add(`\n|${'---|'.repeat(this.#columns)}`)
    else if (tag === 'pre') this.#fence('\n```\n\n', false)
    else if (tag === 'code' && !this.#raw) this.#add('`')
    else if (tag === 'a') this.#add(this.#href.startsWith('#') ? '' : `](${this.#href})`)
    else this.#add(MARKS[tag]?.[1] ?? '')
  }

  #columns = 0

  #row(): void {
    this.#columns = this.#cells.length
    this.#add(`\n| ${this.#cells.join(' | ')} |`)
    this.#cells = []
  }

  #fence(mark: string, raw: boolean): void {
    this.#add(mark)
    this.#raw = raw
  }
}

/** One line, whose bars do not end it. */
const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()

/** The main part of one of our own pages as Markdown. Not for HTML of anybody else. */
export function markdownOf(page: string): string {
  const main = (/<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? '').replace(LEFT_OUT, '')
  const writer = new Writer()
  for (const [, slash, tag, attributes = '', text] of main.matchAll(TOKEN)) {
    if (text !== undefined) writer.words(text)
    else if (slash) writer.close(tag ?? '')
    else writer.open(tag ?? '', attributes)
  }
  return `${writer.text}\n`
}

export function markdownAnswer(text: string, status = 200): Answer {
  const headers = { 'Content-Type': 'text/markdown; charset=utf-8' }
  return { status, headers, body: text }
}

/** The same page for a program, made of the very page a person reads. */
export function asMarkdown({ status, body }: Answer): Answer {
  return markdownAnswer(markdownOf(body ?? ''), status)
}
