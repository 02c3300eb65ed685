import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { uploadFileName, writeUploadFile } from './upload-file.ts'

const SAMPLE = new URL('../../../../../../../shared/sii/samples/f29/76543210.txt', import.meta.url)
const subject = { rut: '76543210-3', legal_name: 'Empresa Sintética SpA', period: '2026-09' }
const figure = ([code, amount]: readonly [number, number]) => ({ code, amount, rate: null })

describe('the upload file of the F29', () => {
  it.skipIf(!existsSync(SAMPLE))('is the sample of the layout, byte by byte (skipped without ../shared)', () => {
    const figures = [
      // In the order of the form, with sums and zeros that the file leaves out.
      ...(
        [
          [586, 2],
          [142, 7_500],
          [503, 1],
          [502, 21_299],
          [110, 1],
          [111, 798],
          [509, 1],
          [510, 1_900],
          [538, 20_197],
          [511, 60_395],
          [519, 2],
          [520, 62_295],
          [527, 1],
          [528, 1_900],
          [504, 5_000],
          [537, 65_395],
          [77, 45_198],
          [563, 123_800],
          [62, 155],
          [39, 23_555],
          [596, 23_555],
          [91, 23_710],
          [762, 0],
        ] as const
      ).map(figure),
      { code: 115, amount: null, rate: 0.125 },
    ]
    expect(writeUploadFile(subject, figures).equals(readFileSync(SAMPLE))).toBe(true)
  })

  it('is named by the RUT without its digit, eight figures long', () => {
    expect(uploadFileName({ rut: '76543210-3' })).toBe('76543210.txt')
    expect(uploadFileName({ rut: '5126663-3' })).toBe('05126663.txt')
  })

  it('has lines of 81 characters ended by CR LF, counted in the first, and carries no letter outside ASCII', () => {
    const bytes = writeUploadFile({ ...subject, legal_name: 'Ñandú y Cía. – Ltda.' }, [figure([502, 190])])
    const lines = bytes.toString('latin1').split('\r\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => 81))
    expect(lines[0]?.slice(0, 17)).toBe('02026090029000003')
    expect(bytes.every((byte) => byte < 128)).toBe(true)
    expect(lines[1]).toContain('0001 NANDU Y CIA.   ')
  })
})
