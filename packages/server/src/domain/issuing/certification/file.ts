import type { Finding, PlanStep, Sample, StepSection } from '@timbre/certification'
import type { StatusOf } from '../../../kernel/machine.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'
import type { certificationFileMachine } from './machine.ts'

/** What a file is: a section of a set, or what a later step makes. */
export const FILE_KINDS = [
  'basico',
  'guias',
  'exenta',
  'compra',
  'libro_ventas',
  'libro_compras',
  'libro_guias',
  'boletas',
  'boletas_exentas',
  'simulacion',
  'exchange_received',
  'exchange_reception',
  'exchange_receipts',
  'exchange_results',
  'sample',
] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** What a printed sample shows. */
export interface SampleFacts {
  readonly origin: Sample['origin']
  readonly case_id: string | null
  readonly tipo_dte: number
  readonly folio: number
  readonly cedible: boolean
  /** The page was too big with the logo of the empresa, and is printed without it. */
  readonly without_logo: boolean
  readonly bytes: number
  readonly sha256: string
}

/** `received` is how a file of the SII begins and ends: no row of the machine moves it. */
export type FileStatus = StatusOf<typeof certificationFileMachine> | 'received'

/** The range that each folio is from, by `tipo:folio`. */
export type Cafs = Readonly<Record<string, string>>

export const cafKey = (tipo_dte: number, folio: number): string => `${tipo_dte}:${folio}`

/** A file without its bytes. */
export interface FileRow {
  readonly id: string
  readonly set_id: string | null
  readonly step: StepKey
  readonly kind: FileKind
  readonly position: number
  readonly attempt: number
  readonly file_name: string
  readonly plan: PlanStep | null
  readonly cafs: Cafs
  /** What a printed sample shows. */
  readonly sample: SampleFacts | null
  readonly status: FileStatus
  readonly track_id: string | null
  readonly sent_at: Date | null
  readonly words: string | null
  readonly findings: readonly string[]
  readonly created_at: Date
  readonly changed_at: Date
  readonly superseded_at: Date | null
}

export interface NewFile extends Pick<FileRow, 'step' | 'kind' | 'position' | 'file_name'> {
  readonly set_id?: string | null
  readonly plan?: PlanStep | null
  readonly cafs?: Cafs
  readonly content?: Uint8Array | null
  readonly sample?: SampleFacts | null
  /** One that came from the SII, or that was made whole, is no plan. */
  readonly status?: Extract<FileStatus, 'planned' | 'received' | 'printed'>
}

export const SET_KINDS = ['facturas', 'boletas', 'boletas_exentas'] as const
export type SetKind = (typeof SET_KINDS)[number]

export interface SetRow {
  readonly id: string
  readonly kind: SetKind
  readonly source: 'sii' | 'file'
  readonly file: Uint8Array
  /** `YYYY-MM-DD` */
  readonly downloaded_on: string
  readonly received_at: Date
}

/** What is known of a certification as a whole. */
export interface CertificationRow {
  readonly resolucion_on: string | null
  readonly words: string | null
  readonly said_at: Date | null
  readonly findings: readonly Finding[]
  readonly inputs: Readonly<Record<string, string>>
}

/** Kinds of a set's sections that have a file of their own. */
export function kindOfSection(section: StepSection): FileKind {
  if (section === 'exportacion' || section === 'unknown') throw new TypeError(`nothing is built of ${section}`)
  return section
}
