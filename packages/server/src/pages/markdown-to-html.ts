import { type Html, html } from './html.ts'

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+|\/[^\s)]*|#[^\s)]*)\)/

/** Code, bold and links of one line; everything else is text. */
export function inline(text: string): Html {
  const found = INLINE.exec(text)
  if (!found) return html`${text}`
  const [whole, code, bold, label, href] = found
  const before = text.slice(0, found.index)
  const piece =
    code !== undefined
      ? html`<code>${code}</code>`
      : bold !== undefined
        ? html`<strong>${bold}</strong>`
        : html`<a href="${href}">${label}</a>`
  return html`${before}${piece}${inline(text.slice(found.index + whole.length))}`
}

/** The little Markdown a changelog is written in: headings, lists with wrapped lines, paragraphs. */
export function markdown(text: string): Html {
  const blocks: { kind: 'h' | 'ul' | 'p'; lines: string[] }[] = []
  let open = false
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const [, heading] = /^#{3,6}\s+(.*)$/.exec(line) ?? []
    const [, item] = /^[-*]\s+(.*)$/.exec(line) ?? []
    if (line.trim() === '') open = false
    else if (heading !== undefined) blocks.push({ kind: 'h', lines: [heading] })
    else if (item !== undefined && last?.kind === 'ul') last.lines.push(item)
    else if (item !== undefined) blocks.push({ kind: 'ul', lines: [item] })
    else if (open && last && last.kind !== 'h') last.lines.push(`${last.lines.pop() ?? ''} ${line.trim()}`)
    else blocks.push({ kind: 'p', lines: [line.trim()] })
    open = line.trim() !== '' && heading === undefined
  }
  return html`${blocks.map(({ kind, lines }) => {
    if (kind === 'h') return html`<h3>${inline(lines[0] ?? '')}</h3>`
    if (kind === 'p') return html`<p>${inline(lines[0] ?? '')}</p>`
    return html`<ul>${lines.map((line) => html`<li>${inline(line)}</li>`)}</ul>`
  })}`
}
