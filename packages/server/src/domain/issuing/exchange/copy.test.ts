import { describe, expect, it } from 'vitest'
import type { DocumentRow } from '../document/show.ts'
import { exchangeLetter } from './copy.ts'

const row = {
  draft: { emisor: { legal_name: 'Viña Maule S.A.', rut: '76543210-3' } },
  tipo_dte: 33,
  folio: 7,
  issue_date: '2026-11-16',
  total: 1_190,
} as unknown as DocumentRow
const words = (watermark: string | null) => exchangeLetter(row, 'dte@cliente.cl', watermark).paragraphs.join(' ')

describe('the letter to a mailbox of exchange', () => {
  it('tells of the acceptance of the SII and of the eight days only where the document has tax effect', () => {
    expect(words(null)).toMatch(/El SII ya la aceptó.*ocho días/)
    expect(words('SIN VALOR TRIBUTARIO')).toContain('sin valor tributario')
    expect(words('SIN VALOR TRIBUTARIO')).not.toMatch(/aceptó|ocho días|Ley 19\.983/)
  })
})
