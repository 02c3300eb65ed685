import { drift } from '../failure.ts'
import { looking } from '../portal/effects.ts'
import type { Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { inCompany, type SfgCaller, type SfgDoor } from './door.ts'

export type SfgSide = 'issued' | 'received'

/** A document in a list of the SFG. */
export interface SfgEntry {
  /** The portal's own number of it, for its PDF. */
  readonly code: string | null
  /** Of the other party. */
  readonly rut: string
  readonly name: string
  /** The kind in words, such as `Factura Electronica`. */
  readonly document: string
  readonly folio: number
  /** As the page writes it. */
  readonly date: string
  readonly amount: number
  readonly estado: string
}

export interface SfgFilter {
  readonly tipo?: number
  readonly folio?: number
  /** `YYYY-MM-DD` */
  readonly from?: string
  readonly to?: string
  /** From 1; ten documents on each. */
  readonly page?: number
}

const PAGE_SIZE = 10

export interface SfgList {
  readonly entries: readonly SfgEntry[]
  readonly more: boolean
  /** False where the person has one company and the SII did not ask which: the list does not say whose it is. */
  readonly company_known: boolean
}

/** One page of the documents that the company issued or received there. */
export function sfgList(
  wire: Wire,
  sessions: Sessions,
  caller: SfgCaller,
  side: SfgSide,
  filter: SfgFilter,
): Promise<SfgList> {
  return inCompany(wire, sessions, caller, (door) =>
    looking(async () => ({ ...(await askList(door, side, filter)), company_known: door.chosen })),
  )
}

/** The list is the evidence that a document exists: a page that names a folio is not (PROTOCOLS 15). */
export async function findIssued(
  door: SfgDoor,
  { tipo, folio, receptor_rut }: { readonly tipo: number; readonly folio: number; readonly receptor_rut: string },
): Promise<SfgEntry | null> {
  const { entries } = await askList(door, 'issued', { tipo, folio })
  return entries.find((entry) => entry.folio === folio && entry.rut === receptor_rut) ?? null
}

async function askList(door: SfgDoor, side: SfgSide, filter: SfgFilter) {
  const program = side === 'issued' ? 'mipeAdminDocsEmi.cgi' : 'mipeAdminDocsRcp.cgi'
  const query = [
    [side === 'issued' ? 'RUT_RECP' : 'RUT_EMI', ''],
    ['FOLIO', filter.folio ?? ''],
    ['RZN_SOC', ''],
    ['FEC_DESDE', filter.from ?? ''],
    ['FEC_HASTA', filter.to ?? ''],
    ['TPO_DOC', filter.tipo ?? ''],
    ['ESTADO', ''],
    ['ORDEN', ''],
    ['NUM_PAG', filter.page ?? 1],
  ]
  const text = query.map(([name, value]) => `${name}=${value}`).join('&')
  return door.step(program, text, null, ({ page }) => ({ value: readList(page) }))
}

function readList(page: Page): { readonly entries: readonly SfgEntry[]; readonly more: boolean } {
  const entries = page.rows.flatMap((row, index) => readRow(row, page.row_links[index] ?? []))
  const is_list = page.rows.some((row) => row.some((cell) => /^folio\b/i.test(cell)))
  const says_none = /no (se )?(registra|existe|hay|encontr|posee|tiene)/.test(page.folded)
  if (entries.length === 0 && !is_list && !says_none) throw drift('list of documents')
  return { entries, more: entries.length >= PAGE_SIZE }
}

/** From the RUT on: name, document, folio, date, amount, state. */
function readRow(row: readonly string[], links: readonly string[]): SfgEntry[] {
  const at = row.findIndex((cell) => /^\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]$/.test(cell))
  if (at === -1) return []
  const [rut = '', name = '', document = '', folio = '', date = '', amount = '', estado = ''] = row.slice(at)
  const digits = (text: string) => text.replace(/[.$\s]/g, '')
  if (!/^\d+$/.test(digits(folio)) || !/^-?\d+$/.test(digits(amount))) throw drift('folio and amount in the list')
  const code = links
    .map((link) => /[?&](?:DHDR_)?CODIGO=([\w-]+)/i.exec(link)?.[1])
    .find((found) => found !== undefined)
  return [
    {
      code: code ?? null,
      rut: rut.replaceAll('.', '').toUpperCase(),
      name,
      document,
      folio: Number(digits(folio)),
      date,
      amount: Number(digits(amount)),
      estado,
    },
  ]
}
