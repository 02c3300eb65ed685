import { describe, expect, it } from 'vitest'
import type { CgiDoor } from '../portal/cgi.ts'
import { readPage } from '../portal/page.ts'
import type { FolioQuestion, FolioRange } from './door.ts'
import { readRanges } from './list-pages.ts'

/** A list of so many pages, with a range on each. */
function listOf(pages: number) {
  let read = 0
  const step: CgiDoor['step'] = async (_program, _fields, take) => {
    read++
    const page = readPage(`<p>${read}</p>${read < pages ? 'Siguiente' : 'Anterior'}`)
    return take({ page } as never).value
  }
  const rangesIn = (): FolioRange[] => [{ from: read, to: read } as FolioRange]
  return readRanges({ step } as CgiDoor, 'of_consulta2_folio', { rut: '76543210-3' } as FolioQuestion, rangesIn)
}

describe('a list of ranges', () => {
  it('is read to its end, however long a taxpayer has been stamping', async () => {
    expect(await listOf(200)).toHaveLength(200)
  })

  it('that does not end is a page we do not know: nobody takes a part of it for the whole', async () => {
    await expect(listOf(201)).rejects.toMatchObject({ facts: { drift: expect.any(String) } })
  })
})
