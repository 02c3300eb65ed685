import { squeeze, type Token } from './markup.ts'

export interface Checkbox {
  readonly name: string
  /** What a browser sends for it when it is ticked. */
  readonly value: string
  readonly checked: boolean
  /** The words beside it: those after it, or else those before it. */
  readonly label: string
}

/** Where the words beside a box end. A cell does not end them: boxes and their words stand in neighbouring cells. */
const LINES = new Set(['tr', 'br', 'p', 'li', 'div', 'form', 'table'])

export function checkboxesOf(tokens: readonly Token[]): Checkbox[] {
  const boxes: (Omit<Checkbox, 'label'> & { before: string; after: string })[] = []
  let open: (typeof boxes)[number] | null = null
  let words = ''
  for (const token of tokens) {
    if (token.kind === 'text') {
      if (token.raw) continue
      words += token.text
      if (open !== null) open.after += token.text
      continue
    }
    if (LINES.has(token.name)) {
      open = null
      words = ''
    }
    if (token.kind !== 'open' || token.name !== 'input') continue
    open = null
    const { attributes } = token
    const name = attributes.get('name') ?? ''
    if (attributes.get('type')?.toLowerCase() !== 'checkbox' || name === '') continue
    open = {
      name,
      value: attributes.get('value') || 'on',
      checked: attributes.has('checked'),
      before: words,
      after: '',
    }
    boxes.push(open)
    words = ''
  }
  return boxes.map(({ before, after, ...box }) => ({ ...box, label: squeeze(after) || squeeze(before) }))
}
