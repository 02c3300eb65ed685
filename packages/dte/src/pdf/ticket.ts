import { BLACK, leading } from './canvas.ts'
import {
  boxLines,
  cedibleLegend,
  dispatchPairs,
  emisorLines,
  factPairs,
  officeLine,
  printedReferences,
  receptorPairs,
} from './content.ts'
import { type PrintedItem, printedItems, totalRows } from './content-lines.ts'
import { HEADINGS, TOTAL_LABELS } from './copy.ts'
import { wrap } from './face.ts'
import { shortDate } from './format.ts'
import { drawAcuse, drawLogo, drawPairs, heightOfAcuse, heightOfPairs, type Job, stampLegend } from './page.ts'
import { drawStamp, fitStamp, MM } from './stamp.ts'
import {
  amountLine,
  DOT,
  endPage,
  numberPages,
  paragraph,
  type Roll,
  reserve,
  separator,
  startPage,
  type Ticket,
} from './ticket-roll.ts'

export function drawTicket(job: Job, roll: Roll): void {
  const inner = roll.width - 2 * roll.margin
  const style = { size: roll.size, width: inner, color: BLACK }
  const ticket: Ticket = { ...job, roll, x: roll.margin, inner, style }
  startPage(ticket)
  drawHeader(ticket)
  drawFacts(ticket)
  drawLines(ticket)
  drawTotals(ticket)
  drawTimbre(ticket)
  drawCedible(ticket)
  drawFooter(ticket)
  endPage(ticket)
  numberPages(ticket)
}

function drawHeader(ticket: Ticket): void {
  const { canvas, dte, x, inner } = ticket
  const line = 0.7 * MM
  const sizes = [11, 10.5, 11.5]
  const texts = boxLines(dte).map((text, i) => wrap('bold', text, sizes[i] ?? 11, inner - 12))
  const height = texts.reduce((sum, lines, i) => sum + lines.length * leading(sizes[i] ?? 11), 14)
  canvas.box(x + line / 2, ticket.y + line / 2, inner - line, height - line, line, BLACK)
  let top = ticket.y + 7
  for (const [i, lines] of texts.entries()) {
    const size = sizes[i] ?? 11
    for (const text of lines) {
      canvas.text(x, top + size * 0.96, text, { face: 'bold', size, color: BLACK, align: 'center', width: inner })
      top += leading(size)
    }
  }
  ticket.y += height + 4
  paragraph(ticket, officeLine(dte), { face: 'bold', align: 'center' })
  ticket.y += 5
  const logo = drawLogo(ticket, x, ticket.y, { width: inner * 0.7, height: 46 }, false)
  ticket.y += logo ? logo + 6 : 0
  paragraph(ticket, dte.emisor.legal_name, { face: 'bold', size: ticket.roll.size + 2 })
  for (const text of emisorLines(dte, false)) paragraph(ticket, text)
}

function drawFacts(ticket: Ticket): void {
  const { dte, x, inner, roll } = ticket
  for (const entries of [[...factPairs(dte, shortDate), ...receptorPairs(dte)], dispatchPairs(dte)]) {
    if (entries.length === 0) continue
    separator(ticket)
    const block = { x, width: inner, label: roll.size * 8.6, size: roll.size, label_color: BLACK, color: BLACK }
    reserve(ticket, heightOfPairs(entries, block))
    ticket.y = drawPairs(ticket, entries, ticket.y, block)
  }
  const references = printedReferences(dte)
  if (references.length === 0) return
  separator(ticket)
  paragraph(ticket, HEADINGS.references, { face: 'bold' })
  for (const { name, folio, date, reason } of references) {
    paragraph(ticket, [name, folio && `N° ${folio}`, date && `del ${date}`].filter(Boolean).join(' '))
    paragraph(ticket, reason)
  }
}

function drawLines(ticket: Ticket): void {
  separator(ticket, 1)
  for (const item of printedItems(ticket.dte)) {
    drawItem(ticket, item)
    ticket.y += 2.5
  }
}

function drawItem(ticket: Ticket, item: PrintedItem): void {
  const { roll } = ticket
  paragraph(ticket, [item.code, item.description].filter(Boolean).join('  '), { face: 'bold' })
  const detail = [item.marks, item.detail].filter(Boolean).join('. ')
  paragraph(ticket, detail, { size: roll.size - 0.5 })
  const count = [item.quantity, item.unit].filter(Boolean).join(' ')
  const sum = [count, item.unit_price].filter(Boolean).join(' x ')
  amountLine(ticket, sum, item.adjustment ? '' : item.amount)
  if (!item.adjustment) return
  const name = item.adjustment.startsWith('+') ? TOTAL_LABELS.surcharge : TOTAL_LABELS.discount
  amountLine(ticket, [name, item.adjustment_percent].filter(Boolean).join(' '), item.adjustment)
  amountLine(ticket, '', item.amount)
}

function drawTotals(ticket: Ticket): void {
  separator(ticket, 1)
  for (const { label, amount, strong } of totalRows(ticket.dte)) {
    if (!strong) amountLine(ticket, label, amount)
    else {
      ticket.y += 3
      amountLine(ticket, label.toUpperCase(), amount, { face: 'bold', size: ticket.roll.size + 4 })
    }
  }
}

function drawTimbre(ticket: Ticket): void {
  const { canvas, roll, timbre, x, inner } = ticket
  ticket.y += 14
  const stamp = timbre && fitStamp(timbre.length, roll.stamp)
  if (stamp) {
    const [width, height] = roll.turned ? [stamp.height, stamp.width] : [stamp.width, stamp.height]
    reserve(ticket, height + 60)
    // On a whole dot, as its modules are.
    const left = Math.round((x + (inner - width) / 2) / DOT) * DOT
    ticket.y = Math.round(ticket.y / DOT) * DOT
    drawStamp(canvas, timbre, stamp, left, ticket.y, roll.turned)
    ticket.y += height + 5
  }
  for (const line of stampLegend(ticket)) paragraph(ticket, line, { align: 'center', size: roll.size - 0.5 })
}

function drawCedible(ticket: Ticket): void {
  const legend = ticket.options.cedible ? cedibleLegend(ticket.dte) : null
  if (!legend) return
  const { x, inner } = ticket
  ticket.y += 10
  reserve(ticket, heightOfAcuse(inner) + 30)
  drawAcuse(ticket, x, ticket.y, inner)
  ticket.y += heightOfAcuse(inner) + 6
  paragraph(ticket, legend, { face: 'bold', size: 10, align: 'right' })
}

function drawFooter(ticket: Ticket): void {
  if (!ticket.options.footer) return
  ticket.y += 8
  paragraph(ticket, ticket.options.footer, { align: 'center' })
}
