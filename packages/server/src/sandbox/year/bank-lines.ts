import { addDays, thousands } from '@timbre/dte/values'
import { Chance } from './chance.ts'
import type { Month } from './month.ts'
import { ABROAD, EMPLOYEES } from './people.ts'

interface BankLine {
  readonly date: string
  readonly words: string
  readonly rut?: string
  readonly name?: string
  /** Positive when money came in. */
  readonly amount: number
}

const OPENING = 9_500_000

function customersPay({ sales }: Month): BankLine[] {
  return sales.flatMap(({ party: { rut, name }, issue_date, total, paid_after }) =>
    paid_after === null
      ? []
      : [
          {
            date: addDays(issue_date, paid_after),
            words: `TRANSFERENCIA DE ${name.toUpperCase()}`,
            rut,
            name,
            amount: total,
          },
        ],
  )
}

function payingSuppliers({ purchases, received }: Month, chance: Chance): BankLine[] {
  return [...purchases, ...received].map(({ party: { rut, name }, folio, issue_date, total }) => ({
    date: addDays(issue_date, chance.between(5, 28)),
    words: `PAGO A ${name.toUpperCase()} FACTURA ${folio}`,
    rut,
    name,
    amount: -total,
  }))
}

function payroll({ period }: Month, chance: Chance): BankLine[] {
  const paid = EMPLOYEES.map((name) => ({
    date: `${period}-28`,
    words: `PAGO REMUNERACION ${name.toUpperCase()}`,
    amount: -chance.between(620_000, 980_000),
  }))
  return [...paid, { date: `${period}-13`, words: 'PREVIRED COTIZACIONES', amount: -chance.between(540_000, 610_000) }]
}

/** What the boletas brought, a fourth of it each week. */
function cardSales({ period, boletas }: Month): BankLine[] {
  const total = boletas.net + boletas.iva
  return ['07', '14', '21', '28'].map((day, i) => ({
    date: `${period}-${day}`,
    words: 'ABONO VENTAS CON TARJETA',
    amount: Math.floor((total * (i + 1)) / 4) - Math.floor((total * i) / 4),
  }))
}

const DAYS = (date: string) => date.split('-').reverse().join('/')

/** The account of the story as its bank would write it, oldest first, up to today; null where nothing moved yet. */
export function accountFile(empresa_id: string, months: readonly Month[], today: string): Buffer | null {
  const lines = months
    .flatMap((month) => {
      const chance = new Chance(empresa_id, month.period, 'bank')
      const fee = { date: `${month.period}-05`, words: 'COMISION MANTENCION CUENTA', amount: -11_900 }
      const moved: BankLine[][] = [customersPay(month), payingSuppliers(month, chance), payroll(month, chance)]
      return [...moved.flat(), ...cardSales(month), fee] as BankLine[]
    })
    .filter(({ date }) => date <= today)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  let balance = OPENING
  const rows = lines.map(({ date, words, rut = '', name = '', amount }) => {
    balance += amount
    const pair = amount < 0 ? `${thousands(-amount)};` : `;${thousands(amount)}`
    return `${DAYS(date)};${words};${rut};${name};${pair};${balance < 0 ? '-' : ''}${thousands(Math.abs(balance))}`
  })
  const head = ['Cuenta corriente: 00-990-10101-01;Moneda: CLP', 'Fecha;Descripción;RUT;Nombre;Cargos;Abonos;Saldo']
  return rows.length === 0 ? null : Buffer.from([...head, ...rows].join('\n'))
}

/** Its credit card: what was bought abroad, and at the counter. */
export function cardFile(empresa_id: string, months: readonly Month[], today: string): Buffer | null {
  const rows = months.flatMap(({ period }) => {
    const chance = new Chance(empresa_id, period, 'card')
    const abroad = ABROAD.map(({ words, pesos, day }) => ({
      date: `${period}-${String(day).padStart(2, '0')}`,
      words,
      amount: chance.between(...pesos),
    }))
    const counter = ['COPEC VITACURA', 'RESTAURANT EL HOYO', 'UBER TRIP'].map((words) => ({
      date: `${period}-${String(chance.between(1, 28)).padStart(2, '0')}`,
      words,
      amount: chance.between(6_500, 58_000),
    }))
    return [...abroad, ...counter].filter(({ date }) => date <= today).sort((a, b) => (a.date < b.date ? -1 : 1))
  })
  const lines = rows.map(({ date, words, amount }) => `${DAYS(date)};${words};$${thousands(amount)}`)
  const head = ['Tarjeta de crédito XXXX-XXXX-XXXX-9901', 'Fecha;Descripción;Monto']
  return lines.length === 0 ? null : Buffer.from([...head, ...lines].join('\n'))
}
