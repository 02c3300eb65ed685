import { percent } from './expected.ts'
import type { Book, BookLine, Sums } from './read-book.ts'
import type { SetDocument } from './read-set-document.ts'
import { caseOf, type Refusal } from './review-documents.ts'
import { caseName, type PurchaseRow, type Section } from './set.ts'

const differs = (found: unknown, expected: unknown) => `[${found ?? ''}] <> [${expected ?? ''}]`
const lineName = ({ tipo, folio }: { tipo: number; folio: number }) => `Doc ${tipo} Folio ${folio}`

/** The sales book holds the documents of the basic set, or of the exempt one where there is no other. */
export function reviewSales(book: Book, documents: readonly SetDocument[]): Refusal[] {
  const refusals = [...reviewCaratula(book, 'VENTA'), ...missing(book, documents)]
  for (const line of book.lines) {
    const document = documents.find(({ tipo, folio }) => tipo === line.tipo && folio === line.folio)
    if (document === undefined) {
      refusals.push(`${lineName(line)} - El documento no pertenece al set`)
      continue
    }
    const { amounts } = document
    refusals.push(
      ...compare(line, [
        ['Monto exento', line.exempt, amounts.exento],
        ['Monto neto', line.net, amounts.neto],
        ['Monto IVA', line.iva, amounts.iva],
        ['El Monto Total No Cuadra', line.total, amounts.total],
      ]),
    )
  }
  return [...refusals, ...reviewSums(book)]
}

/** Each line of the purchases book by what the set observes of it (Formato IECV). */
export function reviewPurchases(book: Book, section: Section): Refusal[] {
  const refusals = [...reviewCaratula(book, 'COMPRA'), ...missing(book, section.purchases)]
  for (const line of book.lines) {
    const row = section.purchases.find(({ tipo, folio }) => tipo === line.tipo && folio === line.folio)
    if (row === undefined) refusals.push(`${lineName(line)} - El documento no pertenece al set`)
    else refusals.push(...reviewPurchase(line, row))
  }
  const common = section.purchases.filter(({ treatment }) => treatment === 'uso_comun')
  for (const { tipo, taxed } of common) {
    const sums = book.sums.get(tipo)
    const credit = percent(percent(taxed, 19), section.factor)
    if (sums === undefined) continue
    if (sums.factor !== section.factor)
      refusals.push(
        `Doc ${tipo} - Factor de proporcionalidad ${differs((sums.factor ?? 0) / 100, section.factor / 100)}`,
      )
    if (sums.common_use_credit !== credit)
      refusals.push(`Doc ${tipo} - Credito de IVA uso comun ${differs(sums.common_use_credit, credit)}`)
  }
  return [...refusals, ...reviewSums(book)]
}

function reviewPurchase(line: BookLine, row: PurchaseRow): Refusal[] {
  const iva = percent(row.taxed, 19)
  const exempt = row.exempt ?? 0
  const recoverable = row.treatment === 'giro' || row.treatment === 'retencion'
  const free = line.not_recoverable.find(({ code }) => code === '4')?.amount ?? 0
  const other = line.not_recoverable.reduce((sum, { amount }) => sum + amount, 0) - free
  return compare(line, [
    ['Monto exento', line.exempt, exempt],
    ['Monto neto', line.net, row.taxed],
    ['Monto IVA', line.iva, recoverable ? iva : 0],
    ['IVA uso comun', line.common_use, row.treatment === 'uso_comun' ? iva : 0],
    ['IVA no recuperable codigo 4', free, row.treatment === 'gratuita' ? iva : 0],
    ['IVA no recuperable', other, 0],
    ['IVA retenido total', line.withheld, row.treatment === 'retencion' ? iva : 0],
    ['El Monto Total No Cuadra', line.total, exempt + row.taxed + (row.treatment === 'retencion' ? 0 : iva)],
  ])
}

/** Case 2 was invoiced in the period, case 3 annulled after it reached the SII; case 1 only moved goods. */
export function reviewGuides(book: Book, section: Section, documents: readonly SetDocument[]): Refusal[] {
  const refusals = [...reviewCaratula(book, null), ...missing(book, documents)]
  let [sales, amount] = [0, 0]
  for (const line of book.lines) {
    const document = documents.find(({ folio }) => folio === line.folio)
    const number = document === undefined ? null : caseOf(section, document)
    const one = section.cases.find((candidate) => candidate.number === number)
    if (document === undefined || one === undefined) {
      refusals.push(`${lineName(line)} - La guia no pertenece al set`)
      continue
    }
    const name = caseName(section, one.number)
    const annulled = one.number === 3
    if ((line.annulled === '2') !== annulled)
      refusals.push(`${name} - Guia anulada ${differs(line.annulled, annulled ? 2 : '')}`)
    if (line.transfer !== (one.transfer?.kind ?? null))
      refusals.push(`${name} - Tipo de operacion ${differs(line.transfer, one.transfer?.kind)}`)
    if (one.number === 2 && !line.invoiced) refusals.push(`${name} - Falta la factura con que se facturo la guia`)
    if (!annulled && line.total !== document.amounts.total)
      refusals.push(`${name} - El Monto Total No Cuadra ${differs(line.total, document.amounts.total)}`)
    if (!annulled && one.transfer?.kind === 1) [sales, amount] = [sales + 1, amount + document.amounts.total]
  }
  const sums = book.sums.get(52)
  if (sums === undefined) return [...refusals, 'Falta el resumen del periodo']
  if (sums.documents !== sales) refusals.push(`Resumen - Guias de venta ${differs(sums.documents, sales)}`)
  if (sums.total !== amount) refusals.push(`Resumen - Monto de guias de venta ${differs(sums.total, amount)}`)
  if (sums.annulled !== 1) refusals.push(`Resumen - Guias anuladas ${differs(sums.annulled, 1)}`)
  return refusals
}

/** The sets ask for a special book, sent whole (OPERATIONS, certification). */
function reviewCaratula(book: Book, operation: 'VENTA' | 'COMPRA' | null): Refusal[] {
  const wrong: Refusal[] = []
  if (operation !== null && book.operation !== operation)
    wrong.push(`Caratula - Tipo de operacion ${differs(book.operation, operation)}`)
  if (book.tipo_libro !== 'ESPECIAL') wrong.push(`Caratula - Tipo de libro ${differs(book.tipo_libro, 'ESPECIAL')}`)
  if (book.tipo_envio !== null && book.tipo_envio !== 'TOTAL')
    wrong.push(`Caratula - Tipo de envio ${differs(book.tipo_envio, 'TOTAL')}`)
  const expected = operation === 'COMPRA' ? 2 : 1
  if (operation !== null && book.notification !== expected)
    wrong.push(`Caratula - Folio de notificacion ${differs(book.notification, expected)}`)
  return wrong
}

function missing(book: Book, asked: readonly { readonly tipo: number; readonly folio: number }[]): Refusal[] {
  return asked
    .filter(({ tipo, folio }) => !book.lines.some((line) => line.tipo === tipo && line.folio === folio))
    .map((one) => `${lineName(one)} - No esta en el libro`)
}

function compare(line: BookLine, pairs: readonly (readonly [string, number, number])[]): Refusal[] {
  return pairs
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${lineName(line)} - ${what} ${differs(found, expected)}`)
}

/** The sums of each tipo are those of its lines. */
function reviewSums(book: Book): Refusal[] {
  const tipos = [...new Set([...book.lines.map(({ tipo }) => tipo), ...book.sums.keys()])]
  return tipos.flatMap((tipo) => {
    const lines = book.lines.filter((line) => line.tipo === tipo)
    const told = book.sums.get(tipo)
    if (told === undefined) return [`Resumen Doc ${tipo} - No esta en el resumen`]
    const sum = (name: 'exempt' | 'net' | 'iva' | 'total' | 'common_use') =>
      lines.reduce((total, line) => total + line[name], 0)
    const pairs: readonly (readonly [string, keyof Sums, number])[] = [
      ['Total documentos', 'documents', lines.length],
      ['Total exento', 'exempt', sum('exempt')],
      ['Total neto', 'net', sum('net')],
      ['Total IVA', 'iva', sum('iva')],
      ['Total IVA uso comun', 'common_use', sum('common_use')],
      ['Monto total', 'total', sum('total')],
    ]
    return pairs
      .filter(([, name, expected]) => told[name] !== expected)
      .map(([what, name, expected]) => `Resumen Doc ${tipo} - ${what} ${differs(told[name], expected)}`)
  })
}
