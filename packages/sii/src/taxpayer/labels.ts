import { fold } from '../portal/fold.ts'
import type { Page } from '../portal/page.ts'

/** The value that stands after a label: in the same piece of text behind a colon, or in the next piece. */
export function valueAfter(page: Page, label: RegExp): string | null {
  for (const [index, piece] of page.pieces.entries()) {
    const found = label.exec(fold(piece))
    if (found === null || found.index !== 0) continue
    const rest = piece
      .slice(found[0].length)
      .replace(/^[\s:.()*]+/, '')
      .trim()
    if (rest !== '') return rest
    return page.pieces[index + 1]?.replace(/^[\s:]+/, '').trim() || null
  }
  return null
}

/** `DD-MM-AAAA`, with dashes or slashes, to `AAAA-MM-DD`; null where it is none. */
export function civilDate(text: string | null): string | null {
  const found = /^(\d{2})[-/](\d{2})[-/](\d{4})/.exec(text ?? '')
  if (found !== null) return `${found[3]}-${found[2]}-${found[1]}`
  return /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? null
}
