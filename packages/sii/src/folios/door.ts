import { drift } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import type { PageAnswer } from '../portal/judge.ts'
import type { PortalUser } from '../portal/log-in.ts'
import type { Read } from '../wire.ts'
import { noForm } from './refusals.ts'

/** Who asks about the folios of which taxpayer and tipo. */
export interface FolioQuestion {
  readonly user: PortalUser
  readonly ambiente: Ambiente
  /** Of the taxpayer. */
  readonly rut: string
  readonly tipo: number
}

export interface FolioRange {
  readonly from: number
  readonly to: number
}

export function companyFields({ rut, tipo }: Pick<FolioQuestion, 'rut' | 'tipo'>): [string, string][] {
  const [number = '', dv = ''] = rut.split('-')
  return [
    ['RUT_EMP', number],
    ['DV_EMP', dv],
    ['COD_DOCTO', String(tipo)],
  ]
}

export function rangeOf(fields: ReadonlyMap<string, string>): FolioRange | null {
  const from = numberOf(fields.get('FOLIO_INI'))
  const to = numberOf(fields.get('FOLIO_FIN'))
  return from === null || to === null ? null : { from, to }
}

/** Counts come with dots for thousands. */
export function numberOf(text: string | undefined): number | null {
  const digits = (text ?? '').replace(/[.\s]/g, '')
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null
}

export interface CafFile extends FolioRange {
  readonly file: Uint8Array
}

/** The CAF, byte for byte as it came, and the range it says. */
export function readCafFile(answer: PageAnswer): Read<CafFile> {
  const text = answer.bytes.toString('latin1')
  if (!text.includes('<AUTORIZACION')) throw noForm(answer.page, 'AUTORIZACION')
  const range = /<RNG>\s*<D>\s*(\d{1,10})\s*<\/D>\s*<H>\s*(\d{1,10})\s*<\/H>/.exec(text)
  if (range === null) throw drift('RNG of the CAF')
  return { value: { file: new Uint8Array(answer.bytes), from: Number(range[1]), to: Number(range[2]) } }
}
