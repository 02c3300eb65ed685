import { AnswerFault, drift } from '../failure.ts'
import { loneAlert } from '../portal/alerts.ts'
import { looking } from '../portal/effects.ts'
import { fold } from '../portal/fold.ts'
import type { PageAnswer } from '../portal/judge.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'
import { inCompany, type SfgCaller, type SfgDoor, sfgRefusal } from './door.ts'
import type { SfgSide } from './lists.ts'

/** A download brings no more than these (PROTOCOLS 15). */
const CAP = 20
/** Tipos by which one day is split. */
const TIPOS = [33, 34, 43, 46, 52, 56, 61, 110, 111, 112] as const
/** At one request a second, some minutes: a longer range is asked for in parts. */
const MAX_REQUESTS = 300
const MAX_BYTES = 16 * 1024 * 1024

/** Documents of some days, whole, with their signatures: `SetDTE` with one `DTE` for each, in ISO-8859-1. */
export interface SfgFile {
  readonly from: string
  readonly to: string
  /** Null for all of them. */
  readonly tipo: number | null
  readonly documents: number
  readonly file: Uint8Array
}

export interface SfgRange {
  /** `YYYY-MM-DD`, both days included. */
  readonly from: string
  readonly to: string
}

/**
 * The XML of what the company issued, or of what it received from anybody. A range with as many documents as fit in a
 * download may have more, so it is split by date and then, within a day, by tipo.
 */
export function sfgDownload(
  wire: Wire,
  sessions: Sessions,
  caller: SfgCaller,
  side: SfgSide,
  range: SfgRange,
): Promise<readonly SfgFile[]> {
  return inCompany(wire, sessions, caller, (door) =>
    looking(async () => {
      const files: SfgFile[] = []
      const waiting: Slice[] = [{ ...range, tipo: null }]
      for (let requests = 1; ; requests++) {
        const slice = waiting.shift()
        if (slice === undefined) return files
        const last_request = requests === MAX_REQUESTS
        const parts = partsOf(slice)
        const file = await download(door, side, slice, parts.length > 0 && !last_request, caller.rut)
        if (file === null) waiting.unshift(...parts)
        else if (file.documents > 0) files.push(file)
      }
    }),
  )
}

interface Slice extends SfgRange {
  readonly tipo: number | null
}

/** Null where the slice has to be split. */
function download(
  door: SfgDoor,
  side: SfgSide,
  slice: Slice,
  may_split: boolean,
  company: string,
): Promise<SfgFile | null> {
  const origin = side === 'issued' ? 'ENV' : 'RCP'
  const query = `ORIGEN=${origin}&FEC_DESDE=${slice.from}&FEC_HASTA=${slice.to}&TPO_DOC=${slice.tipo ?? ''}&DOWNLOAD=XML`
  const read = (answer: PageAnswer): Read<SfgFile | null> => {
    const documents = countOf(answer)
    requireOwn(answer, side, company)
    if (documents < CAP) return { value: { ...slice, documents, file: new Uint8Array(answer.bytes) } }
    if (may_split) return { value: null }
    throw sfgRefusal('download_cap', `${slice.from} ${slice.to} ${slice.tipo ?? ''}`)
  }
  return door.step('mipeDownLoad.cgi', query, null, read, { max_bytes: MAX_BYTES })
}

/** How many documents came. A page that says there are too many counts as full, one that says there are none as empty. */
function countOf({ kind, bytes, page }: PageAnswer): number {
  if (kind === 'xml') return bytes.toString('latin1').match(/<(?:\w+:)?DTE[\s>]/g)?.length ?? 0
  const words = fold(`${loneAlert(page.alerts) ?? ''} ${page.text}`)
  if (/no (se )?(registra|existe|hay|encontr)/.test(words)) return 0
  if (/maximo|error al contribuyente|excede|supera/.test(words)) return CAP
  const alert = loneAlert(page.alerts)
  throw alert === null
    ? drift('XML of mipeDownLoad.cgi')
    : new AnswerFault({ kind: 'refused', retry: 'never', glosa: alert, sent: false })
}

/** With one company the SII does not ask which: its documents tell whether it is the one that was meant. */
function requireOwn({ kind, bytes }: PageAnswer, side: SfgSide, company: string): void {
  if (kind !== 'xml') return
  const name = side === 'issued' ? 'RUTEmisor' : 'RUTRecep'
  for (const [, rut = ''] of bytes.toString('latin1').matchAll(new RegExp(`<(?:\\w+:)?${name}>([^<]{1,20})<`, 'g'))) {
    if (rut.trim().toUpperCase() !== company) throw sfgRefusal('company_not_authorised', `${name} ${rut}`)
  }
}

function partsOf({ from, to, tipo }: Slice): Slice[] {
  if (from < to) {
    const middle = addDays(from, Math.floor(daysBetween(from, to) / 2))
    return [
      { from, to: middle, tipo },
      { from: addDays(middle, 1), to, tipo },
    ]
  }
  return tipo === null ? TIPOS.map((one) => ({ from, to, tipo: one })) : []
}

const DAY_MS = 86_400_000
const instant = (date: string) => Date.parse(`${date}T00:00:00Z`)
const daysBetween = (from: string, to: string) => (instant(to) - instant(from)) / DAY_MS
const addDays = (date: string, days: number) => new Date(instant(date) + days * DAY_MS).toISOString().slice(0, 10)
