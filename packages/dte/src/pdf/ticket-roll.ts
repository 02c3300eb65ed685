import { BLACK, leading, type TextStyle } from './canvas.ts'
import { widthOf, wrap } from './face.ts'
import { drawWatermark, type Job } from './page.ts'
import { MM, type StampRoom } from './stamp.ts'

/**
 * A roll. Thermal printers have 8 dots a millimetre and one ink: everything is black, also the box, which the SII
 * allows in red or black; grey and red would come out as a scatter of dots.
 */
export interface Roll {
  readonly width: number
  /** What the head of the printer reaches: 72 of 80 mm, 48 of 58. */
  readonly margin: number
  readonly size: number
  readonly stamp: StampRoom
  /** The timbre runs along the paper. */
  readonly turned: boolean
}

export const DOT = MM / 8

const MODULE = 2 * DOT

export const ROLLS: Readonly<Record<'ticket_80' | 'ticket_58', Roll>> = {
  ticket_80: {
    width: 80 * MM,
    margin: 4 * MM,
    size: 8,
    stamp: { width: 71 * MM, height: 40 * MM, dot: DOT, module: MODULE },
    turned: false,
  },
  // Across 48 mm a module would get 1.8 dots: some bars print with one and some with two, and no reader gets through.
  // Along the paper it has room for its two dots, at the price of some paper.
  ticket_58: {
    width: 58 * MM,
    margin: 5 * MM,
    size: 7.5,
    stamp: { width: 90 * MM, height: 40 * MM, dot: DOT, module: MODULE },
    turned: true,
  },
}

/** Readers refuse pages longer than 14,400 points; a boleta of a thousand lines passes that and takes another page. */
const LONGEST = 14_000
const TOP = 10

export interface Ticket extends Job {
  readonly roll: Roll
  readonly x: number
  readonly inner: number
  readonly style: { readonly size: number; readonly width: number; readonly color: string }
}

export function startPage(ticket: Ticket): void {
  ticket.canvas.addSheet(ticket.roll.width, LONGEST)
  ticket.y = TOP
}

export function endPage({ canvas, y, roll, options }: Ticket): void {
  const height = y + TOP
  canvas.trim(height)
  canvas.below(() => drawWatermark(canvas, options.watermark, roll.width, height))
}

/** Starts another page when the next piece does not fit in this one. */
export function reserve(ticket: Ticket, height: number): void {
  if (ticket.y + height + 40 <= LONGEST) return
  endPage(ticket)
  startPage(ticket)
}

export function paragraph(ticket: Ticket, text: string, style: Partial<TextStyle> = {}): void {
  if (text === '') return
  const size = style.size ?? ticket.style.size
  reserve(ticket, wrap(style.face ?? 'regular', text, size, ticket.inner).length * leading(size))
  ticket.y = ticket.canvas.paragraph(ticket.x, ticket.y, text, { ...ticket.style, ...style, width: ticket.inner })
}

export function separator(ticket: Ticket, thickness = 0.5): void {
  ticket.y += 4
  ticket.canvas.rule(ticket.x, ticket.y, ticket.x + ticket.inner, ticket.y, thickness, BLACK)
  ticket.y += 5
}

/** A label on the left and an amount on the right; a label that would run into the amount goes above it. */
export function amountLine(ticket: Ticket, label: string, amount: string, style: Partial<TextStyle> = {}): void {
  const { canvas, x, inner } = ticket
  const full = { ...ticket.style, ...style }
  const room = inner - widthOf(style.face ?? 'regular', amount, full.size) - 6
  const lines = wrap(style.face ?? 'regular', label, full.size, room)
  reserve(ticket, lines.length * leading(full.size))
  canvas.paragraph(x, ticket.y, label, { ...full, width: room })
  ticket.y += (lines.length - 1) * leading(full.size)
  canvas.text(x, ticket.y + full.size * 0.92, amount, { ...full, align: 'right', width: inner })
  ticket.y += leading(full.size)
}

export function numberPages({ canvas, roll, x, inner }: Ticket): void {
  const pages = canvas.sheets.length
  if (pages < 2) return
  for (let page = 0; page < pages; page++) {
    canvas.select(page)
    const style = { size: roll.size - 1, color: BLACK, align: 'right', width: inner } as const
    canvas.text(x, (canvas.sheets[page]?.height ?? 0) - 4, `Página ${page + 1} de ${pages}`, style)
  }
}
