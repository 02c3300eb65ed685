import { drift } from '../failure.ts'
import type { CgiDoor } from '../portal/cgi.ts'
import type { Page } from '../portal/page.ts'
import { companyFields, type FolioQuestion, type FolioRange } from './door.ts'

/** A list shows ten ranges on a page. One that goes on after this many is not one we know how to read. */
const MAX_PAGES = 200

/**
 * Reads a list of ranges page after page until `find` gives something. Where no page follows, `end` says what that
 * means, with the last page before it.
 */
export async function readPages<T>(
  door: CgiDoor,
  program: string,
  question: FolioQuestion,
  { find, end }: { find(page: Page): T | null; end(last: Page): T },
): Promise<T> {
  for (let number = 1; ; number++) {
    const fields = new Map([...companyFields(question), ['PAGINA', String(number)], ['ACEPTAR', 'Consultar']])
    const found = await door.step(program, fields, ({ page }) => {
      const found = find(page)
      const more = page.folded.includes('siguiente')
      if (found === null && more && number === MAX_PAGES) throw drift('the last page of a list of ranges')
      return { value: found ?? (more ? null : end(page)) }
    })
    if (found !== null) return found
  }
}

/** Every range of a list. A page that brings none anew is the last one, whatever it says of a next. */
export function readRanges<R extends FolioRange>(
  door: CgiDoor,
  program: string,
  question: FolioQuestion,
  rangesIn: (page: Page) => readonly R[],
): Promise<R[]> {
  const found = new Map<number, R>()
  const all = () => [...found.values()]
  return readPages(door, program, question, {
    find: (page) => {
      const before = found.size
      for (const range of rangesIn(page)) found.set(range.from, range)
      return found.size === before ? all() : null
    },
    end: all,
  })
}
