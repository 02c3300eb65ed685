import { afterEach, describe, expect, it, vi } from 'vitest'
import { inspectFile } from './inspect.ts'
import { HEADER_WITHIN } from './read-csv.ts'
import { CellFault } from './refusal.ts'

const OPTIONS = { filename: undefined, bank_account: undefined, positive_is: undefined, today: '2026-11-16' }
const HEADER = 'Fecha;Descripción;Monto\n'
const MOVEMENT = '15/11/2026;Pago de cliente;1.000\n'
const inspect = (text: string) => inspectFile(Buffer.from(HEADER + text), OPTIONS)

describe('a file that holds next to nothing', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is not read to its end: rows without a movement are at most some more than those with one', async () => {
    const told = (rows: string) =>
      inspect(rows).catch(({ facts }: { facts: { message: string } }) => facts.message.replace(/\d+/g, '#'))
    const refusal = 'file: # of its first # rows below the header hold no movement.'
    expect(await told(HEADER.repeat(12_000))).toBe(refusal)
    expect(await told(MOVEMENT + 'Sin novedad\n'.repeat(12_000))).toBe(refusal)
    expect(await told(`Otra tabla\nFecha;Saldo\n`.repeat(6_000))).toBe(refusal)
    const pages = (MOVEMENT.repeat(20) + HEADER + 'Página 2\n'.repeat(19)).repeat(100)
    expect(await inspect(pages)).toMatchObject({ rows: 2_000, skipped: 2_000 })
  })

  it('makes no error of each row that has other columns than the first', async () => {
    const made = vi.spyOn(Error, 'captureStackTrace')
    const odd = '15/11/2026;Pago;1.000;x\n'
    expect(await inspect(`${MOVEMENT}${'"\n'.repeat(1_000)}${odd.repeat(1_000)}`)).toMatchObject({ rows: 1_001 })
    // Those of the lines that are searched for a header, under each separator.
    const errors = made.mock.calls.filter(([error]) => error.constructor.name === 'CsvError')
    expect(errors.length).toBeLessThanOrEqual(4 * HEADER_WITHIN)
    expect(new CellFault('is no date').stack).not.toContain('\n')
  })
})
