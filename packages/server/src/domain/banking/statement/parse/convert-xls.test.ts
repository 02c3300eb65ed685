import { describe, expect, it } from 'vitest'
import { xlsOf } from '../../../../../test/support/xls-file.ts'
import { convertXls } from './convert-xls.ts'

describe('an old Excel file', () => {
  it('is refused before it is written out when its cells hold more text together than a cartola does', async () => {
    const file = xlsOf('Hoja1', [
      ['Fecha', 'Detalle', 'Monto'],
      ...Array.from({ length: 10 }, () => ['x'.repeat(100), 1, 2]),
    ])
    // 5 + 7 + 5 letters of the header, and ten times a hundred.
    await expect(convertXls(file, 1_016)).rejects.toMatchObject({
      facts: { message: expect.stringContaining('more text than a cartola does') },
    })
    expect((await convertXls(file, 1_017)).subarray(0, 2).toString()).toBe('PK')
  })
})
