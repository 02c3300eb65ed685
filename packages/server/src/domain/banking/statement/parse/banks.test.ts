import { describe, expect, it } from 'vitest'
import { csvOf, type TestCell, xlsxOf } from '../../../../../test/support/cartola-file.ts'
import { xlsOf } from '../../../../../test/support/xls-file.ts'
import type { StatementOptions } from '../../../../ports/statements.ts'
import { inspectFile } from './inspect.ts'
import { openStatement } from './open-statement.ts'

const OPTIONS: StatementOptions = {
  filename: undefined,
  bank_account: undefined,
  positive_is: undefined,
  today: '2026-11-20',
}

async function read(bytes: Buffer, more: Partial<StatementOptions> = {}) {
  const options = { ...OPTIONS, ...more }
  const lines: [string, number, string, string][] = []
  for await (const batch of (await openStatement(bytes, options)).batches()) {
    for (const { post_date, amount, currency, description } of batch.lines) {
      lines.push([post_date, amount, currency, description])
    }
  }
  return { lines, ...(await inspectFile(bytes, options)) }
}

describe('cartolas as Chilean banks write them', () => {
  it('Banco de Chile: lines about the account first, two columns, the day and the month, totals at the end', async () => {
    const { lines, understood, skipped } = await read(
      csvOf(
        'Cartola de cuenta corriente',
        'Sr(a): Comercial Ñandú SpA',
        'Cuenta: 00-123-45678-09;;Moneda: CLP',
        'Desde 01/11/2026 hasta 15/11/2026',
        '',
        'Fecha;Descripción;Canal o Sucursal;Cargos (CLP);Abonos (CLP);Saldo (CLP)',
        '01/11;SALDO INICIAL;;;;1.000.000',
        '02/11;PAGO ARRIENDO OFICINA;Internet;450.000;;550.000',
        '03/11;TRASPASO DE: CLIENTE SPA;Internet;;119.000;669.000',
        ';TOTAL;;450.000;119.000;',
        'Infórmese sobre la garantía estatal de los depósitos',
      ),
    )
    expect(lines).toEqual([
      ['2026-11-02', -450_000, 'CLP', 'PAGO ARRIENDO OFICINA'],
      ['2026-11-03', 119_000, 'CLP', 'TRASPASO DE: CLIENTE SPA'],
    ])
    expect(understood).toMatchObject({
      format: 'csv',
      encoding: 'utf-8',
      separator: ';',
      header_row: 6,
      columns: { date: 'Fecha', charge: 'Cargos (CLP)', credit: 'Abonos (CLP)', balance: 'Saldo (CLP)' },
      date_format: 'dd/mm',
      sign_rule: 'charge_and_credit_columns',
      balance_check: 'agrees',
      bank_account: '00-123-45678-09',
      currency: 'CLP',
      first_date: '2026-11-02',
      last_date: '2026-11-03',
    })
    expect(understood.first_rows[0]).toMatchObject({ row: 8, amount: -450_000 })
    expect(skipped).toBe(3)
  })

  it('Santander: one amount, and a column that says C for cargo and A for abono', async () => {
    const { lines, understood } = await read(
      csvOf(
        'MONTO;DESCRIPCIÓN MOVIMIENTO;FECHA;SALDO;N° DOCUMENTO;SUCURSAL;CARGO/ABONO',
        '35.990;Compra Nacional FERRETERIA;05/11/2026;964.010;0;OFICINA;C',
        '238.000;0761920839 Transf CLIENTE SPA;06/11/2026;1.202.010;0;OFICINA;A',
      ),
    )
    expect(lines.map(([, amount]) => amount)).toEqual([-35_990, 238_000])
    expect(understood).toMatchObject({ sign_rule: 'kind_column', balance_check: 'agrees' })
  })

  it('BCI: tabs, Latin-1, an accounting date beside that of the transaction', async () => {
    const text = [
      'Fecha Transacción\tFecha Contable\tDescripción\tCheques / Cargos\tDepósitos / Abonos\tSaldo',
      '31-10-26\t02-11-26\tComisión mantención\t$9.500\t\t$90.500',
      '02-11-26\t03-11-26\tDepósito Ñuñoa\t\t$10.000\t$100.500',
    ].join('\n')
    const { lines, understood } = await read(Buffer.from(text, 'latin1'))
    expect(lines).toEqual([
      ['2026-11-02', -9_500, 'CLP', 'Comisión mantención'],
      ['2026-11-03', 10_000, 'CLP', 'Depósito Ñuñoa'],
    ])
    expect(understood).toMatchObject({ encoding: 'windows-1252', separator: '\t', columns: { date: 'Fecha Contable' } })
  })

  it('BancoEstado: UTF-16 with its mark, commas, amounts in quotes', async () => {
    const text =
      '\ufeffFecha,N° Operación,Descripción,Cheques y Otros Cargos,Depósitos y Abonos,Saldo\r\n' +
      '05/11/2026,123,"PAGO LUZ, NOVIEMBRE","45.300","0","54.700"\r\n' +
      '06/11/2026,124,DEPOSITO EN EFECTIVO,"0","100.000","154.700"\r\n'
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      const { lines, understood } = await read(bytes)
      expect(lines.map(([, amount]) => amount)).toEqual([-45_300, 100_000])
      expect(lines[0]?.[3]).toBe('PAGO LUZ, NOVIEMBRE')
      expect(understood.encoding).toMatch(/^utf-16/)
    }
  })

  it('Itaú: a spreadsheet with Excel dates, deposits before charges and a balance a day', async () => {
    const rows: TestCell[][] = [
      ['Itaú Empresas'],
      ['Número de cuenta', '0201234567'],
      [],
      [
        'Fecha',
        'Número de operación',
        'Sucursal',
        'Descripción',
        'Depósitos o Abonos',
        'Giros o Cargos',
        'Saldo diario',
      ],
      [46_331, 1, 'CASA MATRIZ', 'PAGO SUELDOS', null, 2_300_000, null],
      [46_331, 2, 'CASA MATRIZ', 'TRANSFERENCIA RECIBIDA', 595_000, null, 3_295_000],
      [46_332, 3, 'CASA MATRIZ', 'IMPUESTO F29', null, 320_111, 2_974_889],
    ]
    const { lines, understood } = await read(xlsxOf([{ name: 'Cartola', rows }]))
    expect(lines).toEqual([
      ['2026-11-05', -2_300_000, 'CLP', 'PAGO SUELDOS'],
      ['2026-11-05', 595_000, 'CLP', 'TRANSFERENCIA RECIBIDA'],
      ['2026-11-06', -320_111, 'CLP', 'IMPUESTO F29'],
    ])
    expect(understood).toMatchObject({
      format: 'xlsx',
      encoding: null,
      sheet: 'Cartola',
      header_row: 4,
      bank_account: '0201234567',
      balance_check: 'agrees',
      date_format: 'excel',
    })
  })

  it('Scotiabank: pipes, days without marks, newest first', async () => {
    const { lines, understood } = await read(
      csvOf(
        'Fecha|Descripción|Nº Doc.|Cargos|Abonos|Saldo',
        '06112026|COMPRA INTERNET|11|12990||87010',
        '05112026|ABONO REMUNERACION|10||100000|100000',
      ),
    )
    expect(lines.map(([date, amount]) => [date, amount])).toEqual([
      ['2026-11-06', -12_990],
      ['2026-11-05', 100_000],
    ])
    expect(understood).toMatchObject({ separator: '|', date_format: 'ddmmyyyy', balance_check: 'agrees' })
  })

  it('Security: the same header again on each page, with its mark of UTF-8', async () => {
    const header = 'fecha;descripción;número de documentos;cargos;abonos;saldos'
    const { lines, understood, skipped } = await read(
      csvOf(
        `\ufeff${header}`,
        '05/11/2026;GIRO CAJERO;1;20.000;;80.000',
        'Página 2',
        header,
        '06/11/2026;PAGO;2;1;;79.999',
      ),
    )
    expect(lines).toHaveLength(2)
    expect([understood.encoding, skipped]).toEqual(['utf-8', 2])
  })

  it('BICE: a category that says cargo or abono, and dates in words', async () => {
    const { lines, understood } = await read(
      csvOf(
        'Fecha;Categoría;N° operación;Descripción;Monto',
        '05 nov 2026;Cargos;1;Pago proveedor;$250.000',
        '06 nov 2026;Abonos;2;Pago recibido;$119.000',
      ),
    )
    expect(lines.map(([, amount]) => amount)).toEqual([-250_000, 119_000])
    expect(understood).toMatchObject({ sign_rule: 'kind_column', date_format: 'dd mmm yyyy' })
  })

  it('a card: cuotas count by what falls due, charges are positive, payments are not', async () => {
    const { lines, understood } = await read(
      csvOf(
        'Estado de cuenta Tarjeta de Crédito Visa XXXX-XXXX-XXXX-4321',
        'Fecha Operación;Lugar de operación;Descripción operación o cobro;Monto operación;N° Cuota;Valor cuota mensual',
        '03/11/2026;SANTIAGO;NOTEBOOK;$600.000;01/03;$200.000',
        '04/11/2026;SANTIAGO;PAGO PESOS TEF;-$350.000;;-$350.000',
      ),
    )
    expect(lines).toEqual([
      ['2026-11-03', -200_000, 'CLP', 'NOTEBOOK'],
      ['2026-11-04', 350_000, 'CLP', 'PAGO PESOS TEF'],
    ])
    expect(understood).toMatchObject({ sign_rule: 'positive_is_out', bank_account: 'XXXX-XXXX-XXXX-4321' })
  })

  it('a card with a column of dollars: pesos where there are any, dollars where there are none', async () => {
    const { lines } = await read(
      csvOf(
        'Fecha;Descripción;Monto ($);Monto US$',
        '03/11/2026;GOOGLE *ADS8812;95.200;100,00',
        '04/11/2026;ZOOM.US 888-799;;14,99',
      ),
    )
    expect(lines).toEqual([
      ['2026-11-03', -95_200, 'CLP', 'GOOGLE *ADS8812'],
      ['2026-11-04', -1_499, 'USD', 'ZOOM.US 888-799'],
    ])
  })

  it('charges written with a minus are charges, and one against the grain of its column takes a charge back', async () => {
    const header = 'Fecha;Descripción;Cargos;Abonos'
    const minus = await read(csvOf(header, '03/11/2026;LUZ;-45.000;', '04/11/2026;AGUA;-9.000;'))
    expect(minus.lines.map(([, amount]) => amount)).toEqual([-45_000, -9_000])
    const back = await read(csvOf(header, '03/11/2026;LUZ;45.000;', '04/11/2026;REVERSA LUZ;-45.000;'))
    expect(back.lines.map(([, amount]) => amount)).toEqual([-45_000, 45_000])
  })

  it('lines that end as those of an old Mac do', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `03/11/2026,PAGO ${i},${i + 1},`)
    const { rows: found, understood } = await read(Buffer.from(['Fecha,Detalle,Cargos,Abonos', ...rows].join('\r')))
    expect([found, understood.separator]).toEqual([3_000, ','])
  })

  it('an account in dollars: cents of a dollar', async () => {
    const { lines, understood } = await read(
      csvOf(
        'Fecha;Descripción;Cargos (USD);Abonos (USD)',
        '03/11/2026;WIRE FEE;25,50;',
        '04/11/2026;WIRE IN;;1.000,00',
      ),
    )
    expect(lines.map(([, amount, currency]) => [amount, currency])).toEqual([
      [-2_550, 'USD'],
      [100_000, 'USD'],
    ])
    expect(understood.currency).toBe('USD')
  })

  it('a single signed column, with the RUT and the name of whoever was paid', async () => {
    const bytes = csvOf(
      'Fecha;Detalle;Rut;Nombre;Monto',
      '2026-11-03;Transferencia;76.192.083-9;Arriendos SpA;(450.000)',
    )
    const statement = await openStatement(bytes, OPTIONS)
    const { value: batch } = await statement.batches().next()
    expect(batch?.lines).toMatchObject([
      { amount: -450_000, counterparty_rut: '76192083-9', counterparty_name: 'Arriendos SpA' },
    ])
  })
})

describe('spreadsheets in English', () => {
  it('are read by their own words: one column, two columns, or a column of kinds', async () => {
    const one = await read(
      csvOf('date,description,amount,balance', '2026-11-03,Coffee,-1000,9000', '2026-11-04,Sale,500,9500'),
    )
    expect(one.lines.map(([date, amount]) => [date, amount])).toEqual([
      ['2026-11-03', -1_000],
      ['2026-11-04', 500],
    ])
    expect(one.understood.balance_check).toBe('agrees')
    const two = await read(
      csvOf('Posting Date;Transaction Date;Details;Debit;Credit', '04/11/2026;03/11/2026;Rent;1.000;'),
    )
    expect(two.lines).toEqual([['2026-11-04', -1_000, 'CLP', 'Rent']])
    const kinds = await read(csvOf('Date;Description;Type;Amount;Currency', '03/11/2026;Ads;Debit;20,50;USD'))
    expect(kinds.lines).toEqual([['2026-11-03', -2_050, 'USD', 'Ads']])
  })
})

describe('the bank of a cartola', () => {
  it('is told by the lines above its columns or by its name, and is nobody where two are named', async () => {
    const rows = ['Fecha;Descripción;Monto', '03/11/2026;X;-1']
    const bank = async (first: string, filename?: string) =>
      (await read(csvOf(first, ...rows), filename === undefined ? {} : { filename })).understood.bank
    expect(await bank('Banco Santander-Chile')).toBe('santander')
    expect(await bank('Cartola', 'movimientos_bancoestado.csv')).toBe('estado')
    expect(await bank('De Banco BICE a Banco Itaú')).toBeNull()
    expect(await bank('Cartola')).toBeNull()
  })
})

/**
 * The cartola that Santander gives companies. Opening 1.000.000 + 595.000 - 11.781 - 450.000 = 1.133.219, the balance that
 * "Saldos diarios" states of the last day. The fee of 11.781 is 0,25 UF and its IVA (9.900 + 1.881): "Resumen comisiones"
 * tells it again with the decimals of the UF.
 */
const SANTANDER: readonly (readonly (string | number | null)[])[] = [
  ['Banco Santander-Chile'],
  ['Empresa', 'Comercial Ñandú SpA'],
  ['Cuenta Corriente', '0-000-1234567-8'],
  ['Desde 01/11/2026 hasta 15/11/2026'],
  ['Saldo inicial', 1_000_000, 'Saldo final', 1_133_219],
  [],
  ['Detalle movimientos'],
  ['MONTO', 'DESCRIPCIÓN MOVIMIENTO', 'FECHA', 'N° DOCUMENTO', 'SUCURSAL', 'CARGO/ABONO'],
  [595_000, '0761920839 Transf CLIENTE SPA', '03/11/2026', 0, 'OFICINA', 'A'],
  [-11_781, 'COMISION MENSUAL PLAN', '04/11/2026', 0, 'OFICINA', 'C'],
  [-450_000, 'PAGO ARRIENDO', '05/11/2026', 0, 'OFICINA', 'C'],
  [],
  ['Resumen comisiones'],
  ['MONTO', 'DESCRIPCIÓN MOVIMIENTO', 'FECHA', 'N° DOCUMENTO', 'SUCURSAL', 'CARGO/ABONO'],
  [-9_899.87, 'COMISION MENSUAL PLAN', '04/11/2026', 0, 'OFICINA', 'C'],
  [-1_880.98, 'IVA COMISION', '04/11/2026', 0, 'OFICINA', 'C'],
  [],
  ['Saldos diarios'],
  ['FECHA', 'SALDO'],
  ['03/11/2026', 1_595_000],
  ['04/11/2026', 1_583_219],
  ['05/11/2026', 1_133_219],
]
const DETAIL = [
  ['2026-11-03', 595_000, 'CLP', '0761920839 Transf CLIENTE SPA'],
  ['2026-11-04', -11_781, 'CLP', 'COMISION MENSUAL PLAN'],
  ['2026-11-05', -450_000, 'CLP', 'PAGO ARRIENDO'],
]
const asCsv = (rows: typeof SANTANDER) =>
  csvOf(...rows.map((cells) => cells.map((cell) => String(cell ?? '').replace('.', ',')).join(';')))

describe('tables below the movements', () => {
  it.each([
    ['csv', asCsv(SANTANDER)],
    ['xlsx', xlsxOf([{ name: 'Cartola', rows: SANTANDER }])],
  ])('Santander for companies, %s: the fees and the daily balances bring nothing', async (format, bytes) => {
    const { lines, understood, rows } = await read(bytes)
    expect(lines).toEqual(DETAIL)
    expect(lines.reduce((sum, [, amount]) => sum + amount, 1_000_000)).toBe(1_133_219)
    expect(understood).toMatchObject({ format, bank: 'santander', header_row: 8, warnings: [] })
    expect(rows).toBe(3)
  })

  it('an old .xls is converted to cells that read the same', async () => {
    const found = await inspectFile(xlsOf('Cartola', SANTANDER), OPTIONS)
    expect(found).toMatchObject({ rows: 3, understood: { format: 'xls', sheet: 'Cartola', header_row: 8 } })
    expect((await read(Buffer.from(found.converted as Uint8Array))).lines).toEqual(DETAIL)
  })

  it('one that is not known is told by its title, whatever its columns, and never adds a movement', async () => {
    const { lines, understood, skipped } = await read(
      csvOf(
        'Fecha;Descripción;Cargos;Abonos',
        '03/11/2026;LUZ;45.000;',
        'Movimientos por confirmar',
        'Fecha;Descripción;Cargos;Abonos',
        '06/11/2026;AGUA;9.000;',
        'Línea de crédito',
        'Fecha;Glosa;Monto',
        '06/11/2026;GIRO LINEA;1',
      ),
    )
    expect(lines.map(([, amount]) => amount)).toEqual([-45_000])
    expect(skipped).toBe(6)
    expect(understood.warnings).toMatchObject([
      { code: 'table_not_read', row: 3, title: 'Movimientos por confirmar' },
      { code: 'table_not_read', row: 6, title: 'Línea de crédito' },
    ])
  })

  it('the next page is none of them: what stands above the columns there stood above them on the first', async () => {
    const page = (n: number, day: string) => [
      'Cartola de cuenta corriente',
      `Página ${n} de 2`,
      'Detalle de movimientos',
      'Fecha;Descripción;Cargos;Abonos',
      `${day}/11/2026;LUZ;45.000;`,
      'Infórmese sobre la garantía estatal de los depósitos',
    ]
    const { lines, understood } = await read(csvOf(...page(1, '03'), ...page(2, '04')))
    expect(lines.map(([date]) => date)).toEqual(['2026-11-03', '2026-11-04'])
    expect(understood.warnings).toEqual([])
  })
})

describe('installments', () => {
  it('`1 / 0` is no amount: the column counts them, whatever it is called', async () => {
    const { lines, understood } = await read(
      csvOf(
        'Tarjeta de Crédito XXXX-XXXX-XXXX-4321',
        'Fecha;Descripción;Monto cuota;Monto',
        '03/11/2026;NOTEBOOK;1 / 0;$600.000',
        '04/11/2026;SILLA;2 / 12;$10.000',
      ),
    )
    expect(lines.map(([, amount]) => amount)).toEqual([-600_000, -10_000])
    expect(understood.columns).toMatchObject({ amount: 'Monto', installments: 'Monto cuota' })
  })
})
